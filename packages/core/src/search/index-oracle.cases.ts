// What the tests of dense indexes compare with, and the rows they use: the textbook's loop over all items, a few rows whose
// distances can be checked by hand, and some hundred around centers.

import type { Id } from '../ids/id.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import type { DenseMetric } from '../matrix/dense-metric.ts'
import { Random } from '../random.ts'
import { encodeModel } from '../store/write-model.ts'
import type { DenseIndex } from './dense-index.ts'
import type { Neighbor } from './neighbor.ts'

export interface Item {
  readonly id: Id
  readonly row: ArrayLike<number>
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, x, j) => sum + x * b[j], 0)
const difference = (a: ArrayLike<number>, b: ArrayLike<number>): number[] => Array.from(a, (x, j) => x - b[j])

/** The metrics as the textbook has them. */
export const distanceOf: Record<DenseMetric, (a: ArrayLike<number>, b: ArrayLike<number>) => number> = {
  euclidean: (a, b) => Math.sqrt(dot(difference(a, b), difference(a, b))),
  cosine: (a, b) => 1 - dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)),
  dot: (a, b) => -dot(a, b),
}

/** The k nearest items; ties in the order of the list. */
export function nearest(items: readonly Item[], query: ArrayLike<number>, k: number, metric: DenseMetric): Neighbor[] {
  const all = items.map(({ id, row }) => ({ id, distance: Math.fround(distanceOf[metric](query, row)) }))
  return all.sort((a, b) => a.distance - b.distance).slice(0, k)
}

/** A 3-4-5 triangle from the origin, with a row that is there twice: distances 0, 3, 4, 5, 5 from the first. */
export const corner = DenseMatrix.from([[1, 1], [4, 1], [1, 5], [4, 5], [4, 5]]) // biome-ignore format: rows as rows
export const cornerIds: readonly Id[] = ['a', 'b', 7, 'd', 'e']

/** Rows around twelve centers. */
export function clustered(seed: number, rows: number, dims = 16): DenseMatrix {
  const places = new Random(1)
  const centers = Float32Array.from({ length: 12 * dims }, () => 4 * places.normal())
  const random = new Random(seed)
  const values = new Float32Array(rows * dims)
  for (let row = 0; row < rows; row++) {
    const center = random.below(12)
    for (let j = 0; j < dims; j++) values[row * dims + j] = centers[center * dims + j] + random.normal()
  }
  return new DenseMatrix(rows, dims, values)
}

export const itemsOf = (rows: DenseMatrix): Item[] =>
  Array.from({ length: rows.rows }, (_, i) => ({ id: i, row: rows.row(i) }))
export const idsOf = (found: readonly Neighbor[]): Id[] => found.map(({ id }) => id)
export const bytesOf = (index: DenseIndex): Buffer => Buffer.concat(encodeModel(index.contents()))

/** Adds forty rows, the queries over and over, and removes some of the old and one of the new. */
export function changeSome(index: DenseIndex, queries: DenseMatrix): void {
  for (let i = 0; i < 40; i++) index.add(queries.row(i % queries.rows), `added ${i}`)
  for (let i = 0; i < 300; i += 7) index.remove(i)
  index.remove('added 3')
}
