// The TEXMEX vector files: each row is its dimension (32 bits, little-endian), then that many numbers: 32-bit floats
// (.fvecs), bytes (.bvecs) or 32-bit whole numbers (.ivecs, neighbor lists). All rows have the same dimension.

import type { LongWork } from '../../long-work.ts'
import { allocate, checkEntries } from '../../matrix/checks.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { DenseValues } from '../../matrix/dense-values.ts'
import { type ByteReader, readBinary } from '../bytes/byte-reader.ts'
import type { Dataset } from '../dataset.ts'
import type { Format, Input, Output, ReadOptions } from '../format.ts'
import { denseFeatures, writeBytes } from '../rows/dense-features.ts'
import { checkFitFloat32 } from '../write-checks.ts'
import { checkFinite, truncatedHint } from './binary-values.ts'
import { type ElementType, elementTypes, makeValues } from './element-types.ts'

/** Larger dimensions are taken for a file of another kind. */
const maxDimension = 2 ** 20
const blockBytes = 2 ** 20

export const fvecs: Format = Object.freeze({
  ...vecsFormat('fvecs', 'TEXMEX vectors of 32-bit floats', elementTypes.f4),
  write: writeFvecs,
})
export const bvecs: Format = Object.freeze(vecsFormat('bvecs', 'TEXMEX vectors of bytes', elementTypes.u1))
export const ivecs: Format = Object.freeze(vecsFormat('ivecs', 'TEXMEX vectors of whole numbers', elementTypes.i4))

function vecsFormat(name: string, title: string, type: ElementType): Format {
  return {
    name,
    title,
    extensions: Object.freeze([name]),
    recognize: head => recognize(head, type),
    read: (input, options) => read(input, options, type),
  }
}

/** Whether the first two rows have the same dimension. Floats and whole numbers look alike: the extension tells. */
function recognize(head: Uint8Array, type: ElementType): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const dimension = head.length >= 4 ? view.getInt32(0, true) : 0
  if (dimension < 1 || dimension > maxDimension) return false
  const second = 4 + dimension * type.bytes
  if (head.length >= second + 4) return view.getInt32(second, true) === dimension
  return head.length === second || head.length >= 2 ** 16
}

async function read(input: Input, options: ReadOptions, type: ElementType): Promise<Dataset> {
  return readBinary(input, options, async reader => {
    const start = await reader.take(4)
    const dimension = readDimension(reader, start)
    const parts: DenseValues[] = []
    let rows = 0
    for await (const block of readBlocks(reader, start, 4 + dimension * type.bytes)) {
      const part = cutRows(reader, block, type, dimension, rows)
      rows += part.length / dimension
      parts.push(part)
    }
    const values = joinValues(parts, type, rows * dimension)
    checkFinite(reader, values, dimension)
    return { name: input.name, rows, features: new DenseMatrix(rows, dimension, values) }
  })
}

function readDimension(reader: ByteReader, start: Uint8Array): number {
  if (start.length < 4)
    throw reader.error(`the file has ${start.length} bytes, expected at least one row`, truncatedHint)
  const dimension = new DataView(start.buffer).getInt32(0, true)
  if (dimension >= 1 && dimension <= maxDimension) return dimension
  throw reader.error(
    `row 0 has dimension ${dimension}, expected 1 to ${maxDimension}`,
    'Is it a file of another format?',
  )
}

/** The file in blocks of whole rows; `start` is what was already read of it. The last block may end within a row. */
async function* readBlocks(reader: ByteReader, start: Uint8Array, rowBytes: number): AsyncGenerator<Uint8Array> {
  const block = new Uint8Array(Math.max(1, Math.floor(blockBytes / rowBytes)) * rowBytes)
  block.set(start)
  let filled = start.length + (await reader.fill(block.subarray(start.length)))
  while (filled > 0) {
    yield block.subarray(0, filled)
    filled = filled < block.length ? 0 : await reader.fill(block)
  }
}

/** The numbers of a block's rows, without the dimensions between them. `rowsBefore` is for messages. */
function cutRows(
  reader: ByteReader,
  block: Uint8Array,
  type: ElementType,
  dimension: number,
  rowsBefore: number,
): DenseValues {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength)
  const size = dimension * type.bytes
  const rows = Math.floor(block.length / (4 + size))
  const values = makeValues(type.kept, rows * dimension)
  const bytes = new Uint8Array(values.buffer)
  for (let i = 0, at = 0; at < block.length; i++, at += 4 + size) {
    const found = at + 4 <= block.length ? view.getInt32(at, true) : dimension
    if (found !== dimension) {
      throw reader.error(`row ${rowsBefore + i} has dimension ${found}, but the rows before it have ${dimension}`)
    }
    if (i === rows) throw reader.error(`the file ends within row ${rowsBefore + i}`, truncatedHint)
    bytes.set(block.subarray(at + 4, at + 4 + size), i * size)
  }
  return values
}

/** The parts in one array; they are let go one by one, so that there are never two whole copies. */
function joinValues(parts: DenseValues[], type: ElementType, length: number): DenseValues {
  checkEntries('the vectors', length)
  const values = allocate('the vectors', () => makeValues(type.kept, length))
  let at = 0
  for (let part = parts.shift(); part; part = parts.shift()) {
    values.set(part, at)
    at += part.length
  }
  return values
}

async function writeFvecs(dataset: Dataset, output: Output, options: LongWork): Promise<void> {
  const features = denseFeatures(dataset, 'fvecs', maxDimension)
  checkFitFloat32(features, 'fvecs')
  const { rows, columns, values } = features
  const perBlock = Math.max(1, Math.floor(blockBytes / (4 + columns * 4)))
  for (let from = 0; from < rows; from += perBlock) {
    const to = Math.min(rows, from + perBlock)
    await writeBytes(fvecsBlock(values.subarray(from * columns, to * columns), columns), output, options)
  }
}

function fvecsBlock(values: DenseValues, columns: number): Uint8Array {
  const rows = values.length / columns
  const block = new Uint8Array(rows * (4 + columns * 4))
  const [floats, dimensions] = [new Float32Array(block.buffer), new Int32Array(block.buffer)]
  for (let i = 0; i < rows; i++) {
    dimensions[i * (columns + 1)] = columns
    floats.set(values.subarray(i * columns, (i + 1) * columns), i * (columns + 1) + 1)
  }
  return block
}
