// One writer at a time. A writer listens at a socket in the folder and then claims the folder by a numbered file that names the
// socket: another process that wants to write reads the claim with the highest number and tries to connect. The system closes the socket
// when the process ends, however it ends; unlike a process id, a socket cannot be reused by mistake. If two processes find the last writer
// gone, both try to create the next claim, and the file system lets one succeed. A claim stays until a later one exists, so the numbers
// only rise; a process that sees a higher claim than its own has lost.

import { randomUUID } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { damaged, folderFailure, unusable } from './log-error.ts'
import { claimFile, isSocketName, largestNumber, listLogFiles } from './log-files.ts'
import { readSmall } from './sealed-json.ts'
import { isListening, listenAt } from './writer-socket.ts'

interface Claim {
  readonly socket: string
  readonly pid: number
}

export class WriterLock {
  readonly #folder: string
  readonly #claim: Claim
  readonly #server: Server

  private constructor(folder: string, claim: Claim, server: Server) {
    this.#folder = folder
    this.#claim = claim
    this.#server = server
  }

  /** Throws if another process is writing. */
  static async take(folder: string): Promise<WriterLock> {
    const claim = { socket: `writer-${randomUUID()}.sock`, pid: process.pid }
    try {
      await listLogFiles(folder) // refuses a folder with links before anything is made in it
      const server = createServer(connection => connection.destroy())
      await listenAt(server, folder, claim.socket)
      const lock = new WriterLock(folder, claim, server)
      try {
        while (!(await lock.#tryToClaim())) {} // another process was faster: see which
        return lock
      } catch (error) {
        await lock.free()
        throw error
      }
    } catch (error) {
      throw folderFailure(folder, error)
    }
  }

  /** The claim still names the socket, but nobody listens there. */
  async free(): Promise<void> {
    await new Promise(done => this.#server.close(done))
    await rm(join(this.#folder, this.#claim.socket), { force: true })
  }

  async #tryToClaim(): Promise<boolean> {
    const { claims } = await listLogFiles(this.#folder)
    const last = claims.at(-1) ?? 0
    const known = last > 0 ? await readClaim(this.#folder, last) : undefined
    if (last > 0 && !known) return false // removed in the meantime: there is a later one
    if (last >= largestNumber) throw damaged(join(this.#folder, claimFile(last)), 'no writer can have that number')
    if (known) await refuseLiving(this.#folder, known)
    if (!(await makeClaim(this.#folder, last + 1, this.#claim))) return false
    const { claims: now } = await listLogFiles(this.#folder)
    if (now.at(-1) !== last + 1) {
      await rm(join(this.#folder, claimFile(last + 1)), { force: true })
      return false
    }
    await removeClaims(this.#folder, now.slice(0, -1))
    return true
  }
}

async function readClaim(folder: string, number: number): Promise<Claim | undefined> {
  const path = join(folder, claimFile(number))
  const text = await readSmall(path)
  if (text === undefined) return undefined
  const { socket, pid } = parseClaim(text)
  if (isSocketName(socket) && Number.isSafeInteger(pid)) return { socket, pid: Number(pid) }
  throw damaged(path, 'it does not name the writing process: the file was changed')
}

function parseClaim(text: string): { readonly socket?: unknown; readonly pid?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** False if that claim exists already. It appears whole and flushed, or not at all. */
async function makeClaim(folder: string, number: number, claim: Claim): Promise<boolean> {
  const unfinished = join(folder, claim.socket.replace(/sock$/, 'tmp'))
  try {
    const file = await open(unfinished, 'wx')
    try {
      await file.writeFile(JSON.stringify(claim))
      await file.sync()
    } finally {
      await file.close()
    }
    await link(unfinished, join(folder, claimFile(number)))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** Removes the claims and sockets of writers that are gone. A process that still listens lost the race, and may be about to claim again. */
async function removeClaims(folder: string, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    const claim = await readClaim(folder, number).catch(() => undefined) // it is not asked any more
    if (claim && !(await isListening(folder, claim.socket))) await rm(join(folder, claim.socket), { force: true })
    await rm(join(folder, claimFile(number)), { force: true })
  }
}

async function refuseLiving(folder: string, { socket, pid }: Claim): Promise<void> {
  if (!(await isListening(folder, socket))) return
  throw unusable(
    folder,
    `process ${pid} is writing this store, and only one process can`,
    'Stop that process, or open the store with readOnly.',
  )
}
