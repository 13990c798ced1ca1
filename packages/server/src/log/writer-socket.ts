// The socket at which a writer listens: how to listen, and how to ask whether somebody does.

import { open } from 'node:fs/promises'
import { connect, type Server } from 'node:net'
import { join } from 'node:path'
import { EngineError } from '@vicinal/core'

/** The most that systems take as a socket's path. */
const longestPath = 100

export async function listenAt(server: Server, folder: string, socket: string): Promise<void> {
  server.unref() // a log that was not closed does not keep a process alive
  await withSocketPath(folder, socket, path => {
    return new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, () => resolve())
    })
  })
}

/** Whether a process listens, even if it is too busy to answer. */
export function isListening(folder: string, socket: string): Promise<boolean> {
  return withSocketPath(folder, socket, path => {
    return new Promise(resolve => {
      const connection = connect(path)
      const answer = (listening: boolean) => {
        connection.destroy()
        resolve(listening)
      }
      connection.once('connect', () => answer(true))
      connection.once('error', ({ code }: NodeJS.ErrnoException) =>
        answer(code !== 'ENOENT' && code !== 'ECONNREFUSED'),
      )
    })
  })
}

/** Calls `use` with a path that is short enough for the system. */
async function withSocketPath<T>(folder: string, socket: string, use: (path: string) => Promise<T>): Promise<T> {
  if (process.platform === 'win32') return use(`\\\\.\\pipe\\vicinal-${socket}`)
  const path = join(folder, socket)
  if (Buffer.byteLength(path) <= longestPath) return use(path)
  if (process.platform !== 'linux') throw tooLong(folder)
  // Linux also has a short path for an open folder.
  const handle = await open(folder)
  try {
    return await use(`/proc/self/fd/${handle.fd}/${socket}`)
  } finally {
    await handle.close()
  }
}

function tooLong(folder: string): EngineError {
  return new EngineError(
    'UNSUPPORTED',
    `the path of the store is too long: this system allows about ${longestPath - 50} bytes`,
    {
      where: { file: folder },
      hint: 'Choose a shorter path.',
    },
  )
}
