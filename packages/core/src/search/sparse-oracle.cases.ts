// What the tests of sparse indexes compare with, and the rows they use: every item computed, a few rows that can be checked by hand,
// generated ones full of ties, and some thousand like texts.

import fc from 'fast-check'
import type { Id } from '../ids/id.ts'
import { SparseMatrix, type SparseRow } from '../matrix/sparse-matrix.ts'
import { Random } from '../random.ts'
import type { Neighbor } from './neighbor.ts'

type Pairs = readonly (readonly [number, number])[]

export function sparse(...pairs: Pairs): SparseRow {
  return SparseMatrix.from([pairs], 2 ** 20).row(0)
}

function unit(row: SparseRow): SparseRow {
  const scale = 1 / Math.hypot(...row.values)
  return { indices: row.indices, values: row.values.map(value => (value === 0 ? 0 : value * scale)) }
}

/** The sum over shared features, in their order, in 32-bit steps: what all indexes promise to the last bit. */
function similarity(a: SparseRow, b: SparseRow): number {
  let sum = 0
  a.indices.forEach((feature, i) => {
    const j = b.indices.indexOf(feature)
    if (j >= 0) sum = Math.fround(sum + Math.fround(a.values[i] * b.values[j]))
  })
  return sum
}

/** Every item computed. */
export function bruteForce(
  items: readonly (readonly [Id, SparseRow])[],
  query: SparseRow,
  k: number,
  dot = false,
): Neighbor[] {
  const scaled = dot ? (row: SparseRow) => row : unit
  const all = items.map(([id, row], i) => ({ id, i, score: similarity(scaled(query), scaled(row)) }))
  return all
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.i - b.i)
    .slice(0, k)
    .map(({ id, score }) => ({ id, distance: Math.fround(dot ? -score : 1 - score) }))
}

export function withKeys(matrix: SparseMatrix): [Id, SparseRow][] {
  return Array.from({ length: matrix.rows }, (_, row) => [row, matrix.row(row)])
}

/** Values of few kinds, so that there are ties and equal rows; rows may be empty, or hold zeros. */
const value = fc.oneof(fc.constantFrom(0, 0.5, 1, 2), fc.float({ min: 0, max: 3, noNaN: true }))

export function rowOf(columns: number): fc.Arbitrary<[number, number][]> {
  const entry = fc.tuple(fc.nat(columns - 1), value)
  return fc.uniqueArray(entry, { selector: ([feature]) => feature, maxLength: columns })
}

/** Seeded rows with few frequent and many rare features, as in texts. */
export function textLike(rows: number, columns: number, perRow: number, seed: number): SparseMatrix {
  const random = new Random(seed)
  const lists = Array.from({ length: rows }, () => {
    const entries = new Map<number, number>()
    for (let i = 0; i < perRow; i++) entries.set(Math.floor(columns ** random.float()) - 1, 0.1 + random.float() ** 2)
    return [...entries]
  })
  return SparseMatrix.from(lists, columns)
}

/** Three books by their words. */
export const books = SparseMatrix.from([
  [
    [0, 3],
    [1, 4],
  ],
  [
    [1, 1],
    [2, 1],
  ],
  [[3, 2]],
])

export type Change = { readonly add: [number, number][] } | { readonly remove: number } | { readonly compact: true }

/** What may happen to an index of six features. */
export const change: fc.Arbitrary<Change> = fc.oneof(
  { arbitrary: fc.record({ add: rowOf(6) }), weight: 3 },
  { arbitrary: fc.record({ remove: fc.nat(60) }), weight: 2 },
  { arbitrary: fc.constant({ compact: true } as const), weight: 1 },
)

/** Rows of a few hundred features about one of twenty subjects each: they have most of their features from its own. */
export function clusteredTexts(rows: number, seed: number): SparseMatrix {
  const random = new Random(seed)
  const lists = Array.from({ length: rows }, () => {
    const subject = random.below(20)
    const entries = new Map<number, number>()
    for (let i = 0; i < 15; i++) entries.set(20 * random.below(25) + subject, 0.1 + random.float())
    for (let i = 0; i < 5; i++) entries.set(random.below(500), 0.1 + random.float())
    return [...entries]
  })
  return SparseMatrix.from(lists, 500)
}
