// The log of a store, in lmdb: the operations since the snapshot by their numbers, and one record that says which snapshot and which
// operations there are. Every commit changes both together and is on disk when it resolves.

import { join } from 'node:path'
import { EngineError } from '@vicinal/core'
import { open, type RootDatabase } from 'lmdb'
import { logFile } from './log-file.ts'
import { checkLogLength, keepLogLong } from './log-length.ts'
import { checkLogSeal } from './log-seal.ts'
import type { Operation } from './operation.ts'
import { operationFromJson } from './operation-json.ts'
import { seal, unseal } from './sealed.ts'
import { damaged, folderFailure, unusable } from './store-error.ts'

/** What the disk holds: a snapshot, and the operations after it. */
export interface LogState {
  /** The snapshot's file. */
  readonly snapshot: string
  /** The last operation that is in the snapshot. */
  readonly from: number
  /** The last operation of all. */
  readonly to: number
  /** Of the operations after the snapshot. */
  readonly bytes: number
  /** Explorations by now, where a store was closed after the last operation. */
  readonly explorations: number
}

/** An operation on its way to the log. */
export interface Entry {
  readonly number: number
  readonly record: Buffer
  readonly explorations: number
}

const stateKey = 'state'
const writerKey = 'writer'
const format = 1

export class OperationLog {
  readonly #file: string
  readonly #db: RootDatabase<Buffer, string | number>
  /** As it was committed last from here. */
  #state: LogState | undefined

  private constructor(file: string, readOnly: boolean) {
    this.#file = file
    try {
      // Without overlappingSync a commit resolves when it is on disk, and not before; with eventTurnBatching there is a promise more
      // a commit, which nobody can wait for.
      const waiting = { overlappingSync: false, eventTurnBatching: false }
      this.#db = open({ path: file, encoding: 'binary', cache: false, noSubdir: true, readOnly, ...waiting })
    } catch (cause) {
      throw unusable(file, `the log cannot be opened: ${cause}`, 'Check who may read and write it.', cause)
    }
  }

  /** The log of a new store. */
  static async create(folder: string, state: LogState): Promise<OperationLog> {
    const log = new OperationLog(join(folder, logFile), false)
    await log.#commit(() => state)
    return log
  }

  static async open(folder: string, readOnly: boolean): Promise<OperationLog> {
    const file = join(folder, logFile)
    try {
      await checkLogLength(file)
      await checkLogSeal(folder)
    } catch (error) {
      throw folderFailure(file, error)
    }
    return new OperationLog(file, readOnly)
  }

  state(): LogState {
    this.#db.resetReadTxn() // what others have committed since
    const record = this.#db.get(stateKey)
    const json = record && unseal(stateKey, record)
    if (json === undefined) throw damaged(this.#file, 'its record of what there is was changed or is gone')
    const { format: written, ...state } = JSON.parse(json) as LogState & { format: number } // sealed: as `#commit` wrote it
    if (written > format) {
      throw new EngineError('FORMAT_TOO_NEW', `the store has format ${written}, this version reads up to ${format}`, {
        where: { file: this.#file },
        hint: 'Update Vicinal.',
      })
    }
    return state
  }

  /** The operations of the log, in order; throws at the first that is not as it was written. */
  *operations({ from, to }: LogState): Generator<Operation> {
    let expected = from + 1
    for (const { key, value } of this.#db.getRange({ start: expected, end: to + 1 })) {
      if (key !== expected) break
      yield this.#operation(expected++, value)
    }
    if (expected <= to) throw damaged(this.#file, `operation ${expected} is missing, there should be ${to}`)
  }

  /** Adds entries, the next numbers after those before. */
  async append(entries: readonly Entry[]): Promise<void> {
    const last = entries.at(-1)
    if (!last) return
    const { number: to, explorations } = last
    const state = this.#latest()
    const bytes = entries.reduce((sum, { record }) => sum + record.length, state.bytes)
    await this.#commit(() => {
      for (const { number, record } of entries) this.#db.put(number, record)
      return { ...state, to, explorations, bytes }
    })
  }

  /** From now on the log begins after operation `from`, which is the last in the snapshot. */
  async begin(snapshot: string, from: number): Promise<void> {
    const before = this.#latest()
    await this.#commit(() => {
      let { bytes } = before
      for (let number = before.from + 1; number <= from; number++) {
        bytes -= this.#db.get(number)?.length ?? 0
        this.#db.remove(number)
      }
      return { ...before, snapshot, from, bytes }
    })
  }

  /** Notes how many explorations there were since the last operation. */
  async note(explorations: number): Promise<void> {
    const state = this.#latest()
    if (state.explorations !== explorations) await this.#commit(() => ({ ...state, explorations }))
  }

  /** Who writes, as they said it; undefined where nobody did. */
  writer(): string | undefined {
    this.#db.resetReadTxn()
    return this.#db.get(writerKey)?.toString()
  }

  /** Puts `next` in the place of `known`, unless another process was faster. */
  replaceWriter(known: string | undefined, next: string): boolean {
    return this.#db.transactionSync(() => {
      if (this.#db.get(writerKey)?.toString() !== known) return false
      this.#db.putSync(writerKey, Buffer.from(next)) // nothing of lmdb's may be returned from here: it would wait for it
      return true
    })
  }

  async close(): Promise<void> {
    await this.#db.close()
  }

  #operation(number: number, record: Uint8Array): Operation {
    const json = unseal(number, record)
    if (json === undefined) throw damaged(this.#file, `operation ${number} was changed`)
    try {
      return operationFromJson(json)
    } catch (cause) {
      throw damaged(this.#file, `operation ${number} is none`, cause)
    }
  }

  #latest(): LogState {
    this.#state ??= this.state()
    return this.#state
  }

  /** Makes a change and notes the state that it leads to, both or neither. */
  async #commit(change: () => LogState): Promise<void> {
    this.#state = await this.#db.transaction(() => {
      const state = change()
      this.#db.put(stateKey, seal(stateKey, JSON.stringify({ format, ...state })))
      return state
    })
    const { lastPageNumber, pageSize } = this.#db.getStats() as { lastPageNumber: number; pageSize: number } // untyped
    await keepLogLong(this.#file, (lastPageNumber + 1) * pageSize)
  }
}
