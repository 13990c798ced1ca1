// The durable side of a store that is written: numbers the operations, hands them to the log in groups, and makes snapshots.
// Invariant: the log's order is the order in which the memory changed. After the first failure nothing is written any more.

import type { EngineError } from '@vicinal/core'
import type { MemoryTree } from '@vicinal/core/memory'
import { GroupCommit } from './group-commit.ts'
import type { Operation } from './operation.ts'
import { operationToJson } from './operation-json.ts'
import type { Entry, LogState, OperationLog } from './operation-log.ts'
import { seal } from './sealed.ts'
import { removeOtherSnapshots, snapshotFile, writeSnapshot } from './snapshot.ts'
import { commitFailure } from './store-error.ts'
import type { SnapshotOptions } from './store-options.ts'

export class StoreWriter {
  readonly #folder: string
  readonly #log: OperationLog
  readonly #tree: MemoryTree
  readonly #limits: Required<SnapshotOptions>
  readonly #commits: GroupCommit<Entry>
  /** The last operation that the memory has seen. */
  #number: number
  /** Since the last snapshot, or the last attempt. */
  #operations: number
  #bytes: number
  #failure: EngineError | undefined
  #snapshotFailure: unknown
  #alone: Promise<unknown> = Promise.resolve()

  constructor(folder: string, log: OperationLog, tree: MemoryTree, state: LogState, limits: Required<SnapshotOptions>) {
    this.#folder = folder
    this.#log = log
    this.#tree = tree
    this.#limits = limits
    this.#number = state.to
    this.#operations = state.to - state.from
    this.#bytes = state.bytes
    this.#commits = new GroupCommit(entries => this.#commit(() => log.append(entries)))
  }

  /** The number of the last operation. */
  get number(): number {
    return this.#number
  }

  /** Why nothing can be written any more. */
  get failure(): EngineError | undefined {
    return this.#failure
  }

  /** Why the last snapshot that came by itself was not made: the log goes on growing, and nothing is lost. */
  get snapshotFailure(): unknown {
    return this.#snapshotFailure
  }

  /** Memory and disk may have parted: nothing is written from here on. */
  fail(failure: EngineError): void {
    this.#failure ??= failure
  }

  /** Logs what the memory has just done; resolves when it is on disk. */
  write(operation: Operation): Promise<void> {
    const number = this.#number + 1
    const record = seal(number, operationToJson(operation))
    this.#number = number
    this.#operations++
    this.#bytes += record.length
    const written = this.#commits.add({ number, record, explorations: this.#tree.explorations })
    if (this.#operations >= this.#limits.snapshotOperations || this.#bytes >= this.#limits.snapshotBytes) {
      this.#startSnapshot()
    }
    return written
  }

  /** Resolves when all that was written so far is on disk. */
  flushed(): Promise<void> {
    return this.#commits.flushed()
  }

  /** Writes the memory as it is now, and drops the log before it. */
  snapshot(): Promise<void> {
    return this.alone(() => this.#takeSnapshot())
  }

  /** Runs `work` while no snapshot takes the place of another. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#alone.then(work)
    this.#alone = done.catch(() => {}) // who asked for it is told
    return done
  }

  /** Waits for what is under way; what fails now was told before. */
  async close(): Promise<void> {
    await this.#alone
    await this.#commits.run(() => this.#commit(() => this.#log.note(this.#tree.explorations)))
  }

  #startSnapshot(): void {
    // Counted from here also where it fails: it is tried again after as much again.
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
    if (this.#failure) throw this.#failure
    const from = this.#number
    const file = snapshotFile(from)
    this.#operations = 0
    this.#bytes = 0
    if (this.#log.state().snapshot === file) return
    await writeSnapshot(this.#folder, file, this.#tree.contents())
    // In line behind the operations it holds: they are in the log before it counts.
    await this.#commits.run(() => this.#commit(() => this.#log.begin(file, from)))
    await removeOtherSnapshots(this.#folder, file)
  }

  async #commit(work: () => Promise<void>): Promise<void> {
    try {
      if (this.#failure) throw this.#failure
      await work()
    } catch (cause) {
      this.#failure ??= await commitFailure(this.#folder, cause)
      throw this.#failure
    }
  }
}
