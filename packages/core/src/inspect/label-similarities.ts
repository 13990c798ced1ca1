// How similar labels are: the cosine of what their rows have in common, less what all labels have in common. Distances are enough for that.

import type { SparseMatrix } from '../matrix/sparse-matrix.ts'
import type { Similarities } from './layout.ts'

export function labelSimilarities(vectors: SparseMatrix): Similarities {
  const count = vectors.rows
  return cosines(products(vectors), count)
}

/** From squared distances, row by row: half of them, taken away, differ from products by what centering removes. */
export function similaritiesByDistance(squared: Float64Array, count: number): Similarities {
  return cosines(
    squared.map(value => -value / 2),
    count,
  )
}

function cosines(values: Float64Array, count: number): Similarities {
  center(values, count)
  const lengths = Float64Array.from({ length: count }, (_, i) => Math.sqrt(Math.max(0, values[i * count + i])) || 1)
  for (let at = 0; at < values.length; at++) values[at] /= lengths[Math.floor(at / count)] * lengths[at % count]
  return { count, values }
}

/** All products of two vectors, added up feature by feature: most pairs share few. */
function products(vectors: SparseMatrix): Float64Array {
  const { rows: count, columns } = vectors
  const values = new Float64Array(count * count)
  const lists = Array.from({ length: columns }, (): [row: number, value: number][] => [])
  for (let row = 0; row < count; row++) {
    const { indices, values } = vectors.row(row)
    for (let i = 0; i < indices.length; i++) lists[indices[i]].push([row, values[i]])
  }
  for (const list of lists) {
    for (const [a, one] of list) for (const [b, other] of list) values[a * count + b] += one * other
  }
  return values
}

/** As if the mean vector were subtracted from each. */
function center(values: Float64Array, count: number): void {
  const means = new Float64Array(count)
  for (let at = 0; at < values.length; at++) means[Math.floor(at / count)] += values[at] / count
  const mean = means.reduce((sum, one) => sum + one / count, 0)
  for (let at = 0; at < values.length; at++) values[at] += mean - means[Math.floor(at / count)] - means[at % count]
}
