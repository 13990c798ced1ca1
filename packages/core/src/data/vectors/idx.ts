// IDX, the format of MNIST: two zero bytes, the number type, the count of dimensions, the sizes (32 bits, big-endian),
// the numbers. One dimension of whole numbers is a list of labels. More are dense features, one row for each index of the
// first dimension; the labels beside them (`…-images-idx3-ubyte` and `…-labels-idx1-ubyte`) are attached.

import { EngineError } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { DenseValues } from '../../matrix/dense-values.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { type ByteReader, readBinary } from '../bytes/byte-reader.ts'
import type { Dataset } from '../dataset.ts'
import type { Format, Input, ReadOptions } from '../format.ts'
import { type ArrayLayout, checkShape, readValues, truncatedHint } from './binary-values.ts'
import { type ElementType, elementTypes } from './element-types.ts'

const types: ReadonlyMap<number, ElementType> = new Map<number, ElementType>([
  [0x08, elementTypes.u1],
  [0x09, elementTypes.i1],
  [0x0b, elementTypes.i2],
  [0x0c, elementTypes.i4],
  [0x0d, elementTypes.f4],
  [0x0e, elementTypes.f8],
])
const maxDimensions = 8
/** Labels are small numbers: a larger one is not a label, and every smaller one gets a name. */
const maxLabels = 2 ** 20

export const idx: Format = Object.freeze({
  name: 'idx',
  title: 'IDX (MNIST): images with a label file next to them, or labels',
  extensions: Object.freeze(['idx', 'idx1-ubyte', 'idx3-ubyte']),
  recognize,
  read,
})

function recognize(head: Uint8Array): boolean {
  return head[0] === 0 && head[1] === 0 && types.has(head[2]) && head[3] >= 1 && head[3] <= maxDimensions
}

async function read(input: Input, options: ReadOptions): Promise<Dataset> {
  const { sizes, values } = await readArray(input, options)
  const [rows] = sizes
  if (sizes.length === 1) return { name: input.name, rows, ...toLabels(input.name, values) }
  const features = new DenseMatrix(rows, values.length / Math.max(1, rows), values)
  return { name: input.name, rows, features, ...(await siblingLabels(input, rows, options)) }
}

interface IdxArray {
  readonly sizes: readonly number[]
  readonly values: DenseValues
}

async function readArray(input: Input, work: LongWork): Promise<IdxArray> {
  return readBinary(input, work, async reader => {
    const { layout, sizes } = await readHeader(reader)
    const values = await readValues(reader, layout)
    await reader.expectEnd(`the ${sizes.join(' × ')} numbers`)
    return { sizes, values }
  })
}

async function readHeader(reader: ByteReader): Promise<{ layout: ArrayLayout; sizes: number[] }> {
  const start = await reader.take(4)
  const type = types.get(start[2])
  if (!recognize(start) || !type) {
    const found = Array.from(start, byte => byte.toString(16).padStart(2, '0')).join(' ')
    throw reader.error(
      `the file begins with ${found}, expected 00 00, a number type and 1 to ${maxDimensions} dimensions`,
    )
  }
  const bytes = await reader.take(start[3] * 4)
  if (bytes.length < start[3] * 4) throw reader.error('the file ends within its header', truncatedHint)
  const view = new DataView(bytes.buffer)
  const sizes = Array.from({ length: start[3] }, (_, i) => view.getUint32(i * 4))
  checkShape(reader, sizes)
  const [rows, ...rest] = sizes
  return { layout: { type, littleEndian: false, rows, columns: rest.reduce((a, b) => a * b, 1) }, sizes }
}

/** One label a row; label `i` is called "i". */
function toLabels(file: string, values: DenseValues): Required<Pick<Dataset, 'labels' | 'labelNames'>> {
  const bad = values.findIndex(value => !Number.isInteger(value) || value < 0 || value >= maxLabels)
  if (bad >= 0) {
    throw new EngineError('BAD_DATA', `label ${bad} is ${values[bad]}, expected a whole number in [0, ${maxLabels})`, {
      where: { file },
    })
  }
  let columns = 0
  for (const value of values) columns = Math.max(columns, value + 1)
  const offsets = Float64Array.from({ length: values.length + 1 }, (_, i) => i)
  const labels = new LabelMatrix(values.length, columns, offsets, Uint32Array.from(values))
  return { labels, labelNames: Array.from({ length: columns }, (_, i) => String(i)) }
}

/** The labels of the file next to an images file; nothing if there is none. */
async function siblingLabels(
  input: Input,
  rows: number,
  work: LongWork,
): Promise<Pick<Dataset, 'labels' | 'labelNames'>> {
  const labels = await openSibling(input)
  if (!labels) return {}
  const { sizes, values } = await readArray(labels, work)
  if (sizes.length === 1 && sizes[0] === rows) return toLabels(labels.name, values)
  throw new EngineError('BAD_DATA', `the file has ${sizes.join(' × ')} labels, but ${input.name} has ${rows} rows`, {
    where: { file: labels.name },
    hint: 'Put the matching label file next to the images, or move this one away.',
  })
}

async function openSibling(input: Input): Promise<Input | undefined> {
  const file = (input.path ?? input.name).split(/[/\\]/).at(-1) ?? ''
  const labels = file.replace(/images([-.])idx[23]/, 'labels$1idx1')
  if (labels === file) return undefined
  const other = labels.endsWith('.gz') ? labels.slice(0, -3) : `${labels}.gz`
  return (await input.sibling(labels)) ?? input.sibling(other)
}
