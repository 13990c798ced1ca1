// Writing rows as lines of text, in large pieces; and the `index:value` pairs that XMC and svmlight files share.

import { EngineError, throwIfAborted } from '../../errors.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import type { LongWork } from '../../progress.ts'
import type { Dataset } from '../dataset.ts'
import type { Output } from '../format.ts'
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

/** The features to write; a data set without them cannot be written in `format`. */
export function featuresOf({ name, features }: Dataset, format: string): DenseMatrix | SparseMatrix {
  if (features) return features
  throw new EngineError('INVALID_OPTION', `${name} has no features, and ${format} files hold nothing else`, {
    hint: 'Write texts as jsonl, csv or tsv.',
  })
}

/** Row `i` as `index:value index:value …`, numbered from `base`. Zeros of a dense row are left out. */
export function pairsText(features: DenseMatrix | SparseMatrix, i: number, base: 0 | 1): string {
  const pairs: string[] = []
  if (features instanceof DenseMatrix) {
    features.row(i).forEach((value, j) => {
      if (value !== 0) pairs.push(`${j + base}:${formatFloat32(value)}`)
    })
  } else {
    const { indices, values } = features.row(i)
    for (let e = 0; e < indices.length; e++) pairs.push(`${indices[e] + base}:${formatFloat32(values[e])}`)
  }
  return pairs.join(' ')
}
