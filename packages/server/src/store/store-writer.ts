// The durable side of a store that is written: hands the operations to the log, and makes snapshots.
// Invariant: the log's order is the order in which the memory changed. After the first failure, nothing more is written.

import type { EngineError } from '@vicinal/core'
import { contentsInTurns, type Saveable } from '@vicinal/core/internals'
import type { Log } from '../log/log.ts'
import type { LoadedStored } from './replay.ts'
import { removeLeftovers, writeSnapshot } from './snapshot.ts'
import type { SnapshotOptions } from './store-options.ts'
import { type StoreKind, writeState } from './store-state.ts'

/** What a writer needs from the object it stores. */
export interface Stored extends Saveable {
  /** Of a memory: how often it has explored. */
  readonly explorations?: number
}

export class StoreWriter {
  readonly #folder: string
  readonly #log: Log
  readonly #stored: Stored
  readonly #kind: StoreKind
  readonly #limits: Required<SnapshotOptions>
  /** The last operation that is in the snapshot. */
  #from: number
  /** What the log says after it. */
  #link: string
  /** Of the operations after it. */
  #logBytes: number
  /** How many explorations opening the store would give. */
  #explorations: number | undefined
  /** Since the last snapshot, or the last attempt. */
  #operations: number
  #bytes: number
  #failure: EngineError | undefined
  #snapshotFailure: unknown
  #alone: Promise<unknown> = Promise.resolve()

  constructor(
    folder: string,
    log: Log,
    { stored, from, link, to, bytes }: LoadedStored<Stored>,
    limits: Required<SnapshotOptions>,
    kind: StoreKind = 'memory',
  ) {
    this.#folder = folder
    this.#log = log
    this.#stored = stored
    this.#kind = kind
    this.#limits = limits
    this.#from = from
    this.#link = link
    this.#logBytes = bytes
    this.#explorations = stored.explorations
    this.#operations = to - from
    this.#bytes = bytes
  }

  /** The number of the last operation. */
  get number(): number {
    return this.#log.next - 1
  }

  /** The last operation that is in the snapshot. */
  get from(): number {
    return this.#from
  }

  /** Of the operations after the snapshot. */
  get logBytes(): number {
    return this.#logBytes
  }

  /** Why nothing can be written any more. */
  get failure(): EngineError | undefined {
    return this.#failure ?? this.#log.failure
  }

  /** Why the last snapshot failed, if it did. */
  get snapshotFailure(): unknown {
    return this.#snapshotFailure
  }

  /** Memory and log disagree: nothing may be written any more. */
  fail(failure: EngineError): void {
    this.#failure ??= failure
  }

  /** Logs a change that was just applied; resolves when it is on disk. */
  write(change: string): Promise<unknown> {
    if (this.failure) throw this.failure
    const record = Buffer.from(change)
    const written = this.#log.append(record)
    this.#explorations = this.#stored.explorations
    this.#logBytes += record.length
    this.#operations++
    this.#bytes += record.length
    if (this.#operations >= this.#limits.snapshotOperations || this.#bytes >= this.#limits.snapshotBytes) {
      this.#startSnapshot()
    }
    return written
  }

  /** Resolves when all that was written so far is on disk. */
  flushed(): Promise<void> {
    return this.#log.flushed()
  }

  /** Writes the memory as it is now, and drops the log before it. */
  snapshot(): Promise<void> {
    return this.alone(() => this.#takeSnapshot())
  }

  /** Runs `work` while no snapshot is replaced. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#alone.then(work)
    this.#alone = done.catch(() => {}) // the caller gets the error
    return done
  }

  /** Waits for running work; failures were already reported. */
  async close(): Promise<void> {
    await this.#alone
    if (this.failure) throw this.failure
    await this.#log.flushed()
    const { explorations } = this.#stored
    if (explorations === this.#explorations || explorations === undefined) return
    await writeState(
      this.#folder,
      { from: this.#from, link: this.#link, noted: { operation: this.number, explorations } },
      this.#kind,
    )
  }

  #startSnapshot(): void {
    // Counted from here even if it fails, so that the next attempt waits for as many operations.
    this.#operations = 0
    this.#bytes = 0
    this.snapshot().then(
      () => {
        this.#snapshotFailure = undefined
      },
      error => {
        this.#snapshotFailure = error
      },
    )
  }

  async #takeSnapshot(): Promise<void> {
    if (this.failure) throw this.failure
    const [from, bytes, { explorations }] = [this.number, this.#logBytes, this.#stored]
    this.#operations = 0
    this.#bytes = 0
    if (from === this.#from) return
    // Both begin in this turn: the new segment begins with the first operation that the snapshot lacks. All changes wait for the new
    // segment, so it comes first.
    const segment = this.#log.rotate()
    const contents = contentsInTurns(this.#stored, {}, segment)
    const [rotated, written] = await Promise.allSettled([
      segment,
      contents.then(found => writeSnapshot(this.#folder, from, found, this.#kind)),
    ])
    for (const part of [written, rotated]) if (part.status === 'rejected') throw part.reason
    const link = (await this.#log.linkBefore(from + 1)) ?? '' // the log has rotated
    await writeState(this.#folder, { from, link }, this.#kind)
    this.#from = from
    this.#link = link
    this.#logBytes -= bytes
    if (this.number === from) this.#explorations = explorations
    await this.#log.truncateBefore(from + 1)
    await removeLeftovers(this.#folder, from, this.#kind)
  }
}
