// The words of one field: a posting list each, and the statistics that BM25 needs. Rows are added in ascending order. A removed row stays
// in its lists, hidden by a mask, until they are repacked; the statistics drop it at once.

import { removedRow } from '../../ids/id-table.ts'
import type { Arena } from '../../kernels/arena.ts'
import { blockPostings } from '../../kernels/generated/blocks/text.ts'
import { GrowingSlice } from '../../kernels/growing-slice.ts'
import type { Steps } from '../../long-work.ts'
import type { Renumbering } from '../renumbering.ts'
import { mostCounted, type PostingPool } from './posting-pool.ts'
import { WordList } from './word-list.ts'

/** How often each word of a text occurs. */
export type WordCounts = ReadonlyMap<string, number>

/** One posting list. */
interface PostingList {
  readonly word: string
  start: number
  /** Postings, those of removed rows included. */
  size: number
  capacity: number
  /** Rows that were not removed. */
  having: number
  /** Of all postings the largest count, and the smallest quotient of the field's length and the count. */
  mostCount: number
  leastRatio: number
}

/** A list takes as long to copy as so many postings. */
export const listCost = 32

/** Lists between two steps, unless one is long. */
export const stepLists = 64
export const longList = 2 ** 12

export class FieldLists {
  readonly #lists = new Map<string, PostingList>()
  #words = new WordList()
  /** By row: how many words its field has; 0 without the field. */
  readonly #lengths: GrowingSlice<Float32Array>
  #documents = 0
  #totalLength = 0

  constructor(arena: Arena) {
    this.#lengths = new GrowingSlice(arena, Float32Array, { what: 'the lengths of texts' })
  }

  /** Documents that have the field. */
  get documents(): number {
    return this.#documents
  }

  get meanLength(): number {
    return this.#documents === 0 ? 0 : this.#totalLength / this.#documents
  }

  /** Address of the lengths by row. */
  get lengths(): number {
    return this.#lengths.pointer
  }

  /** All words seen so far; some may occur only in removed rows. */
  get words(): WordList {
    return this.#words
  }

  get lists(): ReadonlyMap<string, Readonly<PostingList>> {
    return this.#lists
  }

  /** By row; meaningless for removed rows. */
  lengthsOf(rows: number): Float32Array {
    this.#lengths.reserve(rows)
    return this.#lengths.array.slice(0, rows)
  }

  /** The list of a word that some document has. */
  find(word: string): Readonly<PostingList> | undefined {
    const list = this.#lists.get(word)
    return list && list.having > 0 ? list : undefined
  }

  /** Allocates room for a row, which must be above all earlier ones. Only this step can fail; nothing has changed then. */
  reserve(pool: PostingPool, row: number, counts: WordCounts): void {
    this.#lengths.reserve(row + 1)
    for (const word of counts.keys()) {
      const list = this.#listOf(pool, word)
      if (list.size === list.capacity) enlarge(pool, list)
    }
  }

  /** Adds the row that room was allocated for. */
  add(pool: PostingPool, row: number, counts: WordCounts): void {
    const length = lengthOf(counts)
    this.#lengths.array[row] = length
    this.#documents++
    this.#totalLength += length
    for (const [word, count] of counts) append(pool, this.#listOf(pool, word), row, count, length)
  }

  /** A stemmer of another version may give other words than those that were added: they are forgotten when holes are closed. */
  remove(counts: WordCounts): void {
    this.#documents--
    this.#totalLength -= lengthOf(counts)
    for (const word of counts.keys()) {
      const list = this.#lists.get(word)
      if (list && list.having > 0) list.having--
    }
  }

  get statistics(): FieldStatistics {
    return { documents: this.#documents, totalLength: this.#totalLength }
  }

  /** Copies the kept rows of another field to this one, which is empty. What changed since `rows` were numbered is left out. */
  *copy(pool: PostingPool, from: CopiedField, rows: Renumbering, stepPostings: number): Steps<void> {
    const { field, statistics } = from
    this.#documents = statistics.documents
    this.#totalLength = statistics.totalLength
    this.#lengths.reserve(rows.kept)
    field.#lengths.reserve(rows.rows)
    copyLengths(field.#lengths.array, this.#lengths.array, rows)
    let visited = 0
    for (const list of field.#lists.values()) {
      const renewed = yield* copiedList(list, from.pool, pool, this.#lengths, rows, stepPostings)
      if (renewed) this.#lists.set(list.word, renewed)
      visited += list.size + listCost
      if (visited < stepPostings) continue
      visited = 0
      yield
    }
    this.#words = yield* field.#words.kept(word => this.#lists.has(word))
  }

  /** What a model file kept: words, the sizes of their lists, and all postings one list after the other. */
  *restore(pool: PostingPool, kept: KeptLists): Steps<void> {
    this.#lengths.reserve(kept.lengths.length)
    this.#lengths.array.set(kept.lengths)
    this.#documents = kept.documents
    this.#totalLength = kept.totalLength
    let from = 0
    for (const [i, word] of kept.words.entries()) {
      const list = emptyList(pool, word, kept.sizes[i])
      for (const end = from + kept.sizes[i]; from < end; from++) {
        append(pool, list, kept.rows[from], kept.counts[from], kept.lengths[kept.rows[from]])
      }
      this.#lists.set(word, list)
      if (i % stepLists === 0 || list.size > longList) yield
    }
    this.#words = new WordList(kept.words)
  }

  free(): void {
    this.#lengths.free()
  }

  #listOf(pool: PostingPool, word: string): PostingList {
    let list = this.#lists.get(word)
    if (!list) {
      list = emptyList(pool, word, 1)
      this.#lists.set(word, list)
      this.#words.add(word)
    }
    return list
  }
}

/** A field's totals. */
export interface FieldStatistics {
  readonly documents: number
  readonly totalLength: number
}

/** A field to copy, with the statistics that it had when rows were numbered. */
interface CopiedField {
  readonly field: FieldLists
  readonly pool: PostingPool
  readonly statistics: FieldStatistics
}

/** The lists of one field without removed rows, as plain arrays. */
export interface KeptLists extends FieldStatistics {
  readonly words: readonly string[]
  readonly sizes: Uint32Array
  readonly rows: Uint32Array
  readonly counts: Uint16Array
  readonly lengths: Float32Array
}

export function lengthOf(counts: WordCounts): number {
  let length = 0
  for (const count of counts.values()) length += count
  return length
}

function emptyList(pool: PostingPool, word: string, size: number): PostingList {
  const capacity = 2 ** Math.ceil(Math.log2(size))
  return {
    ...{ word, start: pool.take(capacity), size: 0, capacity, having: 0 },
    ...{ mostCount: 0, leastRatio: Number.POSITIVE_INFINITY },
  }
}

function append(pool: PostingPool, list: PostingList, row: number, counted: number, length: number): void {
  const count = Math.min(counted, mostCounted)
  const at = list.start + list.size
  const ratio = roundedDown(length / count)
  pool.set(at, row, count)
  if (list.capacity >= blockPostings) pool.bound(at, count, ratio, list.size % blockPostings === 0)
  list.size++
  list.having++
  list.mostCount = Math.max(list.mostCount, count)
  list.leastRatio = Math.min(list.leastRatio, ratio)
}

function enlarge(pool: PostingPool, list: PostingList): void {
  const { start, size, capacity } = list
  list.capacity = 2 * capacity
  list.start = pool.take(list.capacity)
  pool.move(start, list.start, size, capacity >= blockPostings)
  pool.give(start, capacity)
  // Its first block: all that it has, as it was too short for blocks before.
  if (list.capacity === blockPostings) pool.bound(list.start, list.mostCount, list.leastRatio, true)
}

function copyLengths(old: Float32Array, lengths: Float32Array, rows: Renumbering): void {
  for (let row = 0; row < rows.rows; row++) {
    const renewed = rows.ofKept(row)
    if (renewed !== removedRow) lengths[renewed] = old[row]
  }
}

/** The list without removed rows; undefined if none is left. */
function* copiedList(
  list: PostingList,
  from: PostingPool,
  to: PostingPool,
  lengths: GrowingSlice<Float32Array>,
  rows: Renumbering,
  stepPostings: number,
): Steps<PostingList | undefined> {
  const { size } = list
  let kept = 0
  for (let at = 0; at < size; at += stepPostings) {
    if (at > 0) yield
    kept += countKept(from, list, at, Math.min(size, at + stepPostings), rows)
  }
  if (kept === 0) return undefined
  const renewed = emptyList(to, list.word, kept)
  for (let at = 0; at < size; at += stepPostings) {
    if (at > 0) yield
    appendKept(from, list, at, Math.min(size, at + stepPostings), to, renewed, lengths.array, rows)
  }
  return renewed
}

/** The list may have moved since the last step, but its postings are the same. */
function countKept(
  { rows: { array } }: PostingPool,
  { start }: PostingList,
  begin: number,
  end: number,
  rows: Renumbering,
) {
  let kept = 0
  for (let at = start + begin; at < start + end; at++) if (rows.ofKept(array[at]) !== removedRow) kept++
  return kept
}

function appendKept(
  from: PostingPool,
  { start }: PostingList,
  begin: number,
  end: number,
  to: PostingPool,
  renewed: PostingList,
  lengths: Float32Array,
  rows: Renumbering,
): void {
  const [old, counts] = [from.rows.array, from.counts.array]
  for (let at = start + begin; at < start + end; at++) {
    const row = rows.ofKept(old[at])
    if (row !== removedRow) append(to, renewed, row, counts[at], lengths[row])
  }
}

/** Rounded down to 32 bits, so that it stays a lower bound. */
function roundedDown(value: number): number {
  const rounded = Math.fround(value)
  return rounded <= value ? rounded : Math.fround(rounded * (1 - 2 ** -23))
}
