// The header of NumPy's .npy files, versions 1 to 3: magic, version, length, and a Python dictionary of type, order and
// shape. Only plain numbers in one or two dimensions are read; one dimension is a matrix of one column.

import type { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { ByteReader } from '../bytes/byte-reader.ts'
import { type ArrayLayout, checkShape } from './binary-values.ts'
import { type ElementType, elementTypes } from './element-types.ts'

/** `\x93NUMPY` */
export const npyMagic = Object.freeze([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59])
const headerLimit = 2 ** 20
const headerMultiple = 64

export interface NpyHeader extends ArrayLayout {
  /** Whether the numbers are stored column by column. */
  readonly fortranOrder: boolean
}

/** Reads the header; the numbers come next. */
export async function readNpyHeader(reader: ByteReader): Promise<NpyHeader> {
  const start = await reader.take(8)
  if (!npyMagic.every((byte, i) => start[i] === byte)) {
    throw reader.error(
      'the file does not begin with \\x93NUMPY',
      'Is it an .npy file? An .npz file is a zip of several.',
    )
  }
  const version = start[6]
  if (!(version >= 1 && version <= 3)) throw reader.error(`the header is of version ${version}, expected 1, 2 or 3`)
  const size = await reader.take(version === 1 ? 2 : 4)
  const length = size.reduce((sum, byte, i) => sum + byte * 256 ** i, 0)
  if (length > headerLimit) throw reader.error(`the header has ${length} bytes, expected at most ${headerLimit}`)
  const text = new TextDecoder(version === 3 ? 'utf-8' : 'latin1').decode(await reader.take(length))
  return parseHeader(reader, text)
}

function parseHeader(reader: ByteReader, text: string): NpyHeader {
  const type = /'descr'\s*:\s*'([<>|=])(\w+)'/.exec(text)
  const order = /'fortran_order'\s*:\s*(True|False)/.exec(text)
  const shape = /'shape'\s*:\s*\(([\d\s,L]*)\)/.exec(text)
  if (!type || !order || !shape) {
    throw reader.error(
      `the header is ${JSON.stringify(text.trim().slice(0, 200))}, expected descr, fortran_order and shape`,
      typeHint,
    )
  }
  const sizes = (shape[1].match(/\d+/g) ?? []).map(Number)
  if (sizes.length < 1 || sizes.length > 2) {
    throw reader.error(`the array has ${sizes.length} dimensions, expected 1 or 2`, 'Reshape it to one row per item.')
  }
  checkShape(reader, sizes)
  return {
    type: parseType(reader, type[2]),
    littleEndian: type[1] !== '>',
    rows: sizes[0],
    columns: sizes[1] ?? 1,
    fortranOrder: order[1] === 'True',
  }
}

const typeHint = `Convert the array, for example with .astype('float32').`

function parseType(reader: ByteReader, name: string): ElementType {
  if (Object.hasOwn(elementTypes, name)) return elementTypes[name as keyof typeof elementTypes] // a key, as just checked
  throw reader.error(
    `the numbers are of type ${name}, expected one of ${Object.keys(elementTypes).join(', ')}`,
    typeHint,
  )
}

/** The header, version 1, of a matrix stored row by row; its length makes the numbers begin at a multiple of 64. */
export function npyHeaderBytes({ rows, columns, values }: DenseMatrix): Uint8Array {
  const type = values instanceof Uint8Array ? '|u1' : values instanceof Int32Array ? '<i4' : '<f4'
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`
  const total = Math.ceil((10 + text.length + 1) / headerMultiple) * headerMultiple
  const length = total - 10
  const start = [...npyMagic, 1, 0, length & 255, length >> 8]
  return Uint8Array.of(...start, ...new TextEncoder().encode(`${text.padEnd(length - 1)}\n`))
}
