// One writer at a time. The writer listens at a socket in the store's folder, and the log names that socket: whoever else wants to
// write tries to connect. The system closes the socket with the process, however it ends, so that no number of a process that is
// long gone and now another's can be mistaken for a writer. Two that come at once are told apart by lmdb, which changes the name
// for one of them only.

import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { EngineError } from '@vicinal/core'
import { removeLogSeal } from './log-seal.ts'
import type { OperationLog } from './operation-log.ts'
import { unusable } from './store-error.ts'

interface Writer {
  readonly socket: string
  readonly pid: number
}

/** The most that systems take as a socket's path. */
const longestPath = 100

export class WriterLock {
  readonly #log: OperationLog
  readonly #folder: string
  readonly #record: string
  readonly #server: Server

  private constructor(log: OperationLog, folder: string, record: string, server: Server) {
    this.#log = log
    this.#folder = folder
    this.#record = record
    this.#server = server
  }

  /** Refuses where somebody writes. */
  static async take(log: OperationLog, folder: string): Promise<WriterLock> {
    const writer: Writer = { socket: `writer-${randomUUID()}.sock`, pid: process.pid }
    const server = await listen(folder, writer.socket)
    const lock = new WriterLock(log, folder, JSON.stringify(writer), server)
    try {
      await lock.#claim()
      return lock
    } catch (error) {
      await lock.#stop()
      throw error
    }
  }

  /** The log goes on naming the socket, and nobody listens there. */
  async free(): Promise<void> {
    await this.#stop()
  }

  async #claim(): Promise<void> {
    for (;;) {
      const known = this.#log.writer()
      if (known !== undefined) await refuseLiving(this.#folder, parse(known))
      await removeLogSeal(this.#folder) // nobody makes a new one: who did is gone, and who comes changes the name
      if (!this.#log.replaceWriter(known, this.#record)) continue
      // Only the socket that nobody can come back to: another may be about to be named.
      if (known !== undefined) await rm(join(this.#folder, parse(known).socket), { force: true })
      return
    }
  }

  async #stop(): Promise<void> {
    await new Promise(done => this.#server.close(done))
    await rm(join(this.#folder, parse(this.#record).socket), { force: true })
  }
}

function parse(record: string): Writer {
  return JSON.parse(record) as Writer // as `take` wrote it
}

async function refuseLiving(folder: string, { socket, pid }: Writer): Promise<void> {
  if (!(await isListening(folder, socket))) return
  throw unusable(folder, `process ${pid} writes this store, and there can be one writer only`, 'End it, or read only.')
}

async function listen(folder: string, socket: string): Promise<Server> {
  return withSocketPath(folder, socket, path => {
    const server = createServer(connection => connection.destroy())
    server.unref() // a store that nobody closed keeps no process alive
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, () => resolve(server))
    })
  })
}

/** Whether somebody does; also where they are too busy to say so. */
function isListening(folder: string, socket: string): Promise<boolean> {
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

/** Gives `use` a path that the system takes. */
async function withSocketPath<T>(folder: string, socket: string, use: (path: string) => Promise<T>): Promise<T> {
  if (process.platform === 'win32') return use(`\\\\.\\pipe\\vicinal-${socket}`)
  const path = join(folder, socket)
  if (Buffer.byteLength(path) <= longestPath) return use(path)
  if (process.platform !== 'linux') throw tooLong(folder)
  // Linux knows an open folder by a short name, too.
  const handle = await open(folder)
  try {
    return await use(`/proc/self/fd/${handle.fd}/${socket}`)
  } finally {
    await handle.close()
  }
}

function tooLong(folder: string): EngineError {
  return new EngineError('UNSUPPORTED', `the path of a store may have some ${longestPath - 50} bytes on this system`, {
    where: { file: folder },
    hint: 'Choose a shorter path.',
  })
}
