// Writing rows as lines of text, in large pieces; and the `index:value` pairs that XMC and svmlight files share.

import { EngineError, throwIfAborted } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import type { Dataset } from '../dataset.ts'
import type { Output } from '../format.ts'
import { checkFeatures, checkFitFloat32 } from '../write-checks.ts'
import { formatFloat32 } from './numbers.ts'
import { sparingly } from './sparing-progress.ts'

const pieceCharacters = 2 ** 19

/** Writes `line(0)` … `line(rows - 1)`, each with a line break. */
export async function writeLines(
  rows: number,
  line: (row: number) => string,
  output: Output,
  { signal, onProgress }: LongWork,
): Promise<void> {
  const tell = sparingly(onProgress)
  let piece = ''
  for (let row = 0; row < rows; row++) {
    piece += `${line(row)}\n`
    if (piece.length < pieceCharacters && row < rows - 1) continue
    throwIfAborted(signal)
    await output.write(piece)
    tell({ what: 'writing', done: row + 1, total: rows })
    piece = ''
  }
}

/** The features to write, checked; a data set without them cannot be written in `format`. */
export function featuresOf({ name, features }: Dataset, format: string): DenseMatrix | SparseMatrix {
  if (features) {
    checkFeatures(features, format)
    checkFitFloat32(features, format)
    return features
  }
  throw new EngineError('INVALID_OPTION', `${name} has no features, and ${format} files hold only features`, {
    hint: 'Write texts as jsonl, csv or tsv.',
  })
}

/** Row `i` as `index:value index:value …`, numbered from `base`. Zeros of a dense row are left out, but not -0. */
export function pairsText(features: DenseMatrix | SparseMatrix, i: number, base: 0 | 1): string {
  const pairs: string[] = []
  if (features instanceof DenseMatrix) {
    features.row(i).forEach((value, j) => {
      if (!Object.is(value, 0)) pairs.push(`${j + base}:${formatFloat32(value)}`)
    })
  } else {
    const { indices, values } = features.row(i)
    for (let e = 0; e < indices.length; e++) pairs.push(`${indices[e] + base}:${formatFloat32(values[e])}`)
  }
  return pairs.join(' ')
}

/** One more than the last column that `pairsText` writes of any row. */
export function writtenWidth(features: DenseMatrix | SparseMatrix): number {
  const { columns } = features
  let width = 0
  if (!(features instanceof DenseMatrix)) {
    for (const index of features.indices) width = Math.max(width, index + 1)
    return width
  }
  features.values.forEach((value, i) => {
    if (!Object.is(value, 0)) width = Math.max(width, (i % columns) + 1)
  })
  return width
}

/** The names of the labels, or their numbers, in the order in which the rows have them first. */
export function labelsInRows({ labels, labelNames }: Dataset): string[] {
  const seen = new Set(labels?.indices)
  return Array.from(seen, label => labelNames?.[label] ?? String(label))
}
