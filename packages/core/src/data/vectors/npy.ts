// NumPy's .npy: one array of numbers, read as dense features. One dimension is a matrix of one column. Types are kept or
// converted as in element-types.ts; NaN, infinity and numbers that do not fit are refused. Writes the features only.

import type { LongWork } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { readBinary } from '../bytes/byte-reader.ts'
import type { Dataset } from '../dataset.ts'
import type { Format, Input, Output, ReadOptions } from '../format.ts'
import { denseFeatures, writeBytes } from '../rows/dense-features.ts'
import { readValues } from './binary-values.ts'
import { npyHeaderBytes, npyMagic, readNpyHeader } from './npy-header.ts'

export const npy: Format = Object.freeze({
  name: 'npy',
  title: 'NumPy array: one dense vector per row',
  extensions: Object.freeze(['npy']),
  recognize: (head: Uint8Array) => npyMagic.every((byte, i) => head[i] === byte),
  read,
  write,
})

async function read(input: Input, options: ReadOptions): Promise<Dataset> {
  return readBinary(input, options, async reader => {
    const header = await readNpyHeader(reader)
    const { rows, columns, fortranOrder } = header
    const stored = fortranOrder ? { ...header, rows: columns, columns: rows } : header
    const matrix = new DenseMatrix(stored.rows, stored.columns, await readValues(reader, stored))
    await reader.expectEnd(`the ${rows} × ${columns} numbers`)
    return { name: input.name, rows, features: fortranOrder ? matrix.transpose() : matrix }
  })
}

async function write(dataset: Dataset, output: Output, options: LongWork): Promise<void> {
  const features = denseFeatures(dataset, 'npy')
  await output.write(npyHeaderBytes(features))
  const { buffer, byteOffset, byteLength } = features.values
  await writeBytes(new Uint8Array(buffer, byteOffset, byteLength), output, options)
}
