// The ids of an index's rows, both ways. If the caller gave no ids, a row's id is its number, and nothing is stored until it is
// needed. Invariant: an id names at most one row; a row without an id was removed.

import { isYes } from '../callback-answers.ts'
import { assert, EngineError, shown } from '../errors.ts'
import { finish, mapInSteps, type Steps } from '../long-work.ts'
import { rowNumbersTo } from '../matrix/row-numbers.ts'
import { refuse } from '../options.ts'
import { allBelow } from '../store/array-checks.ts'
import { packStringsInSteps, unpackStringsInSteps } from '../store/packed-strings.ts'
import { takeReady } from '../store/ready-ahead.ts'
import { type Tensor, tensor1d } from '../store/tensor.ts'
import type { Id } from './id.ts'

/** Rows between two steps. */
const stepRows = 1024

export class IdTable {
  /** Undefined if ids are row numbers. */
  #ids: (Id | undefined)[] | undefined
  #rowOf: Map<Id, number> | undefined
  /** Rows ever given a number. */
  #rows: number
  #live: number
  /** Whole numbers from #rows up to here are all taken. */
  #takenTo = 0
  #changes = 0
  /** The ids of removed rows: earlier answers still name them. */
  readonly #removed = new Map<number, Id>()

  /** `ids` one per row, undefined for removed rows; without it, rows are their own ids. */
  constructor(rows: number, ids?: readonly (Id | undefined)[]) {
    this.#rows = rows
    this.#live = rows
    finish(this.#store(ids && ownList(ids, rows)))
  }

  /** The same in steps, with ids as they are now: callers may change theirs between the steps. */
  static inSteps(rows: number, ids?: readonly (Id | undefined)[]): Steps<IdTable> {
    return new IdTable(rows).#store(ids && ownList(ids, rows))
  }

  /** Rows, removed ones included. */
  get rows(): number {
    return this.#rows
  }

  /** Rows that were not removed. */
  get live(): number {
    return this.#live
  }

  /** Counts how often rows were added, removed or renumbered, so that code that keeps row numbers sees when they are outdated. */
  get changes(): number {
    return this.#changes
  }

  /** Undefined for a removed row. */
  idOf(row: number): Id | undefined {
    if (typeof row !== 'number') return undefined
    if (this.#ids) return this.#ids[row]
    return row >= 0 && row < this.#rows ? row : undefined
  }

  /** The same, but returns the former id of a removed row: row numbers are never reused. */
  lastIdOf(row: number): Id {
    const id = this.idOf(row) ?? this.#removed.get(row)
    assert(id !== undefined, `row ${row} never had an id`)
    return id
  }

  /**
   * Writes the rows whose ids pass to `list`, ascending; returns how many. With a function as a filter this loop is most of a search, so it does
   * as little as possible around each call: with it, asking takes a sixth less.
   */
  passing(filter: (id: Id) => boolean, list: Uint32Array): number {
    const [ids, rows] = [this.#ids, this.#rows]
    let count = 0
    for (let row = 0; row < rows; row++) {
      const id = ids === undefined ? row : ids[row]
      if (id === undefined) continue
      const answer: unknown = filter(id)
      if (answer === true || (answer !== false && isYes(answer, 'filter'))) list[count++] = row
    }
    return count
  }

  /** The rows that were not removed, ascending. */
  liveRows(): Uint32Array {
    const rows = rowNumbersTo(this.#rows)
    return this.#live === this.#rows ? rows : rows.filter(row => this.idOf(row) !== undefined)
  }

  /** The rows that were removed, ascending. */
  removedRows(): number[] {
    const removed: number[] = []
    if (this.#live < this.#rows)
      for (let row = 0; row < this.#rows; row++) if (this.idOf(row) === undefined) removed.push(row)
    return removed
  }

  /** Undefined for an id that is not there. */
  rowOf(id: Id): number | undefined {
    if (this.#rowOf) return this.#rowOf.get(id)
    return typeof id === 'number' && Number.isInteger(id) && id >= 0 && id < this.#rows ? id : undefined
  }

  /** The id for the next row: by default its number, or the next higher one that is free. Refuses an id that is taken. */
  nextId(id: Id = this.#freeNumber()): Id {
    checkId(id, this.#rows)
    const row = this.rowOf(id)
    if (row !== undefined) throw repeated(id, `row ${row} has it`)
    return id
  }

  /** Gives the next row an id from `nextId`. */
  add(id: Id): void {
    const row = this.#rows++
    this.#live++
    this.#changes++
    if (id !== row || this.#ids) {
      const { ids, rowOf } = this.#explicit(row)
      ids.push(id)
      rowOf.set(id, row)
    }
  }

  /** The row that had the id, or undefined. */
  remove(id: Id): number | undefined {
    const row = this.rowOf(id)
    if (row === undefined) return undefined
    const { ids, rowOf } = this.#explicit(this.#rows)
    ids[row] = undefined
    this.#removed.set(row, id)
    rowOf.delete(id)
    this.#live--
    this.#changes++
    if (typeof id === 'number' && Number.isInteger(id)) this.#takenTo = Math.min(this.#takenTo, id)
    return row
  }

  /** The table without removed rows, and the new number of every old row (`removedRow` for removed ones). */
  compact(): { table: IdTable; newRows: Uint32Array } {
    const newRows = new Uint32Array(this.#rows).fill(removedRow)
    const ids: Id[] = []
    for (let row = 0; row < this.#rows; row++) {
      const id = this.idOf(row)
      if (id === undefined) continue
      newRows[row] = ids.length
      ids.push(id)
    }
    if (ids.length < this.#rows) this.#changes++
    return { table: ids.length === this.#rows ? this : new IdTable(ids.length, ids), newRows }
  }

  /** What a model file keeps, in steps, as it is when the first one is taken: nothing if rows are their own ids. */
  *tensorSteps(): Steps<Record<string, Tensor>> {
    const ids = this.#ids?.slice()
    yield
    if (!ids) return {}
    const kinds = new Uint8Array(ids.length)
    for (let row = 0; row < ids.length; row++) kinds[row] = kindNames.indexOf(typeof ids[row])
    yield
    const { bytes, ends } = yield* packStringsInSteps(ids, id => String(id ?? ''))
    return { idBytes: tensor1d(bytes), idEnds: tensor1d(ends), idKinds: tensor1d(kinds) }
  }

  /** Refuses tensors that do not give one id per row. */
  static fromTensors(rows: number, tensors: Readonly<Record<string, Tensor>>): IdTable {
    const ready = tensors.idBytes && takeReady(tensors.idBytes.array)
    return ready instanceof IdTable && ready.rows === rows ? ready : finish(restoreIds(rows, tensors))
  }

  /** Continues where the last call ended, so that a long run of taken numbers is passed only once. */
  #freeNumber(): number {
    this.#takenTo = Math.max(this.#takenTo, this.#rows)
    while (this.rowOf(this.#takenTo) !== undefined) this.#takenTo++
    return this.#takenTo
  }

  #explicit(rows: number): { ids: (Id | undefined)[]; rowOf: Map<Id, number> } {
    this.#ids ??= Array.from(rowNumbersTo(rows))
    this.#rowOf ??= new Map(rowNumbersTo(rows).entries())
    return { ids: this.#ids, rowOf: this.#rowOf }
  }

  *#store(ids: (Id | undefined)[] | undefined): Steps<IdTable> {
    if (!ids) return this
    const rowOf = new Map<Id, number>()
    this.#ids = ids
    this.#rowOf = rowOf
    for (let row = 0; row < ids.length; row++) {
      if (row % stepRows === 0) yield row
      const id = ids[row]
      if (id === undefined) continue
      checkId(id, row)
      const earlier = rowOf.get(id)
      if (earlier !== undefined) throw repeated(id, `in rows ${earlier} and ${row}`)
      rowOf.set(id, row)
    }
    this.#live = rowOf.size
    return this
  }
}

function ownList(ids: readonly (Id | undefined)[], rows: number): (Id | undefined)[] {
  if (!Array.isArray(ids)) refuse('ids', ids, 'a list with one id per row')
  if (ids.length === rows) return [...ids]
  throw new EngineError('DIMENSION_MISMATCH', `you gave ${ids.length} ids for ${rows} rows, expected one per row`)
}

/** The same in steps; if they were taken ahead, `fromTensors` takes no time. */
export function* restoreIds(rows: number, tensors: Readonly<Record<string, Tensor>>): Steps<IdTable> {
  const { idBytes, idEnds, idKinds } = tensors
  if (!idBytes && !idEnds && !idKinds) return new IdTable(rows)
  const [bytes, ends, kinds] = [idBytes?.array, idEnds?.array, idKinds?.array]
  const areIds = bytes instanceof Uint8Array && ends instanceof Float64Array && kinds instanceof Uint8Array
  if (!areIds || ends.length !== rows || kinds.length !== rows || !allBelow(kinds, kindNames.length)) {
    throw new EngineError('MODEL_DAMAGED', `the file does not have one id for each of its ${rows} rows`)
  }
  const texts = yield* unpackStringsInSteps({ bytes, ends })
  const ids = yield* mapInSteps(texts, (text, row) => {
    const kind = kindNames[kinds[row]]
    return kind === 'undefined' ? undefined : kind === 'number' ? Number(text) : text
  })
  return yield* IdTable.inSteps(rows, ids)
}

/** What `compact` returns for a removed row. */
export const removedRow = 0xffffffff

const kindNames = ['undefined', 'number', 'string']

function checkId(id: Id, row: number): void {
  if (typeof id === 'string' || Number.isFinite(id)) return
  throw new EngineError('INVALID_OPTION', `the id of row ${row} is ${shown(id)}, expected a string or a finite number`)
}

function repeated(id: Id, where: string): EngineError {
  return new EngineError('BAD_DATA', `the id ${JSON.stringify(id)} appears twice: ${where}`, {
    hint: 'Give every item its own id. To replace an item, remove it first.',
  })
}
