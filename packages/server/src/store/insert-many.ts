// Many memories, from a list or a stream: applied one after the other, and written to the disk in groups while the next are applied.

import { EngineError, type Id, type Json, type LongWork } from '@vicinal/core'
import { checkOptions, optionTable, Pauses, refuse } from '@vicinal/core/internals'
import type { InsertOptions, MemoryKey } from '@vicinal/core/memory'

/** A memory to insert: what `insert` takes, as one object. */
export interface GivenMemory<Value = Json> extends InsertOptions {
  readonly key: MemoryKey
  readonly value: Value
}

/** A list of memories, or anything that gives them one by one. */
export type GivenMemories<Value = Json> = Iterable<GivenMemory<Value>> | AsyncIterable<GivenMemory<Value>>

/** Options of `MemoryStore.insertMany`. */
export interface InsertManyOptions extends LongWork {
  /** Called with the ids of every group of memories once it is on disk, in order. */
  readonly onInserted?: (ids: readonly Id[]) => void
}

const checkFunction = (name: string, value: unknown) => {
  if (typeof value !== 'function') refuse(name, value, 'a function')
}
const manyOptions = optionTable<InsertManyOptions>({
  signal: () => {},
  ...{ onProgress: checkFunction, onInserted: checkFunction },
})

/** How many are written together: enough that the flush of each hardly counts, few enough that it does not wait long. */
const groupMemories = 512

/** Inserts one memory, or throws; `written` resolves once it is on disk. */
type Insert<Value> = (memory: GivenMemory<Value>) => { readonly id: Id; readonly written: Promise<unknown> }

export async function insertMany<Value>(
  memories: GivenMemories<Value>,
  options: InsertManyOptions,
  insert: Insert<Value>,
): Promise<Id[]> {
  checkOptions(options, manyOptions)
  checkSource(memories)
  const writing = new GroupWriting(options, Array.isArray(memories) ? memories.length : undefined)
  try {
    for await (const memory of memories) {
      writing.add(tryInsert(memory, insert, writing.count))
      if (writing.isDue) await writing.rest()
    }
  } finally {
    // Those before one that was refused are kept, so they have to be on disk too.
    await writing.end()
  }
  return writing.ids
}

/** Ids on their way to the disk, in groups. At most two groups wait: one is being written, the other filled. */
class GroupWriting {
  readonly ids: Id[] = []
  readonly #options: InsertManyOptions
  readonly #total: { readonly total?: number }
  readonly #pauses: Pauses
  #told = 0
  #full: { readonly count: number; readonly written: Promise<unknown> } | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: InsertManyOptions, total: number | undefined) {
    this.#options = options
    this.#total = total === undefined ? {} : { total }
    this.#pauses = new Pauses(options)
  }

  get count(): number {
    return this.ids.length
  }

  get isDue(): boolean {
    return this.count % groupMemories === 0 || this.#pauses.due
  }

  add({ id, written }: ReturnType<Insert<unknown>>): void {
    this.ids.push(id)
    this.#last = written
    written.catch(() => {}) // told by whoever waits for the group
  }

  /** Waits until the group before the one just filled is on disk, and lets others run if it is time. */
  async rest(): Promise<void> {
    if (this.count % groupMemories === 0) {
      await this.#tell()
      this.#full = { count: this.count, written: this.#last }
    }
    await this.#pauses.rest()
  }

  async end(): Promise<void> {
    await this.#tell()
    this.#full = { count: this.count, written: this.#last }
    await this.#tell()
  }

  async #tell(): Promise<void> {
    if (!this.#full) return
    const { count, written } = this.#full
    await written
    if (count === this.#told) return
    const group = this.ids.slice(this.#told, count)
    this.#told = count
    this.#options.onInserted?.(group)
    this.#options.onProgress?.({ what: 'inserting', done: count, ...this.#total })
  }
}

/** Says which memory was refused. */
function tryInsert<Value>(memory: GivenMemory<Value>, insert: Insert<Value>, at: number): ReturnType<Insert<Value>> {
  try {
    checkMemory(memory)
    return insert(memory)
  } catch (error) {
    if (!(error instanceof EngineError) || error.where) throw error
    const { code, message, hint } = error
    const kept = `${at} before it ${at === 1 ? 'was' : 'were'} stored.`
    const hints = [hint, ...(at > 0 ? [kept] : [])].filter(Boolean).join(' ')
    throw new EngineError(code, `memory ${at} of the list: ${message}`, { cause: error, ...(hints && { hint: hints }) })
  }
}

function checkMemory(memory: unknown): void {
  if (typeof memory !== 'object' || memory === null) refuse('the memory', memory, 'an object with a key and a value')
  if ('key' in memory && 'value' in memory) return
  throw new EngineError('INVALID_OPTION', `it has no ${'key' in memory ? 'value' : 'key'}`, {
    hint: 'Give { key, value }. The key is a text, a vector or a sparse row.',
  })
}

function checkSource(memories: unknown): void {
  const isSource =
    typeof memories === 'object' &&
    memories !== null &&
    (Symbol.iterator in memories || Symbol.asyncIterator in memories)
  if (!isSource) refuse('memories', memories, 'a list of memories, or anything else that can be iterated')
}
