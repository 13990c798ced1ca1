// Reads a binary matrix straight into one array, converting on the way what is not stored as we keep it.
// Invariant: a number that does not fit what it is kept as (element-types.ts), NaN and infinity are refused.

import type { EngineError } from '../../errors.ts'
import { allocate, checkEntries } from '../../matrix/checks.ts'
import type { DenseValues } from '../../matrix/dense-values.ts'
import type { ByteReader } from '../bytes/byte-reader.ts'
import { type ElementType, elementTypes, makeValues } from './element-types.ts'

export interface ArrayLayout {
  readonly type: ElementType
  readonly littleEndian: boolean
  readonly rows: number
  readonly columns: number
}

/** Numbers converted at a time. */
const blockLength = 2 ** 16
/** Stored as we keep them, so copied. (All platforms that run JavaScript are little-endian.) */
const copied: ReadonlySet<ElementType> = new Set([elementTypes.b1, elementTypes.u1, elementTypes.i4, elementTypes.f4])

/** Refuses sizes of an array that are no sizes, that leave rows without numbers, or that no memory holds. */
export function checkShape(reader: ByteReader, sizes: readonly number[]): void {
  const shape = sizes.join(' × ')
  if (!sizes.every(Number.isSafeInteger)) throw reader.error(`the array is ${shape}, expected whole numbers below 2⁵³`)
  if (sizes.slice(1).includes(0)) {
    throw reader.error(`the array is ${shape}: its rows have no numbers`, 'Save the array with at least one column.')
  }
  const entries = sizes.reduce((product, size) => product * size, 1)
  checkEntries(`${reader.file}: an array of ${shape}`, entries)
}

/** The `rows × columns` numbers that come next. Too few are an error. The shape was checked. */
export async function readValues(reader: ByteReader, layout: ArrayLayout): Promise<DenseValues> {
  const { type, littleEndian, rows, columns } = layout
  const values = allocate(`the ${rows} × ${columns} matrix`, () => makeValues(type.kept, rows * columns))
  const read = copied.has(type) && (littleEndian || type.bytes === 1) ? copyValues : convertValues
  const count = await read(reader, values, layout)
  if (count === values.length) return values
  const row = Math.floor(count / columns)
  throw reader.error(`the file ends in row ${row}, expected ${rows} rows of ${columns} numbers`, truncatedHint)
}

export const truncatedHint = 'The file is incomplete: copy or download it again.'

/** Refuses NaN and infinite numbers. */
export function checkFinite(reader: ByteReader, values: DenseValues, columns: number): void {
  if (!(values instanceof Float32Array)) return
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) throw badValue(reader, i, columns, values[i], 'f32')
  }
}

async function copyValues(reader: ByteReader, values: DenseValues, { columns }: ArrayLayout): Promise<number> {
  const filled = await reader.fill(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
  const count = Math.floor(filled / values.BYTES_PER_ELEMENT)
  checkFinite(reader, values.subarray(0, count), columns)
  return count
}

async function convertValues(reader: ByteReader, values: DenseValues, layout: ArrayLayout): Promise<number> {
  const { type, littleEndian, columns } = layout
  const block = new Uint8Array(blockLength * type.bytes)
  const view = new DataView(block.buffer)
  for (let done = 0; done < values.length; ) {
    const wanted = Math.min(blockLength, values.length - done)
    const count = Math.floor((await reader.fill(block.subarray(0, wanted * type.bytes))) / type.bytes)
    for (let i = 0; i < count; i++) {
      const value = type.get(view, i * type.bytes, littleEndian)
      if (!fits(value, type.kept)) throw badValue(reader, done + i, columns, value, type.kept)
      values[done + i] = value
    }
    done += count
    if (count < wanted) return done
  }
  return values.length
}

function fits(value: number, kept: ElementType['kept']): boolean {
  return kept === 'i32' ? value >= -(2 ** 31) && value < 2 ** 31 : Number.isFinite(Math.fround(value))
}

function badValue(
  reader: ByteReader,
  i: number,
  columns: number,
  value: number,
  kept: ElementType['kept'],
): EngineError {
  const expected = kept === 'i32' ? 'a whole number in [-2³¹, 2³¹)' : 'a finite 32-bit number'
  return reader.error(`row ${Math.floor(i / columns)}, column ${i % columns} is ${value}, expected ${expected}`)
}
