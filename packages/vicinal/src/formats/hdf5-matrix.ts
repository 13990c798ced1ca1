// One matrix of an HDF5 file, read in blocks of rows straight into one array, because the library's memory is small.
// Bytes stay bytes, other whole numbers become i32, floats f32; numbers that do not fit, NaN and infinity are refused.

import { stat } from 'node:fs/promises'
import { DenseMatrix, type DenseValues, EngineError } from '@vicinal/core'
import type { ReadOptions } from '@vicinal/core/data'
import { checkUnpacked, throwIfAborted } from '@vicinal/core/internals'
import type { LibraryProcess } from './library-process.ts'

const blockValues = 2 ** 20
const defaultPart = 'train'

/** A data set of the file, as library/hdf5.mjs lists it. */
interface Part {
  readonly name: string
  readonly path: string
  readonly shape: readonly number[] | null
  readonly dtype: unknown
}

/** Reads the matrix that `part` names, by default 'train' or the only one. */
export async function readMatrix(
  library: LibraryProcess,
  path: string,
  name: string,
  options: ReadOptions,
): Promise<DenseMatrix> {
  const parts = await library.call<Part[]>({ method: 'openFile', args: { path } })
  const part = findPart(parts, name, options.part)
  const [rows, columns] = shapeOf(part, name)
  const { size } = await stat(path)
  checkUnpacked(name, rows * columns, size, options.maxUnpackedBytes)
  const values = makeValues(part, name, rows * columns)
  const step = Math.max(1, Math.floor(blockValues / columns))
  const start = (from: number) => {
    const args = { name: part.name, from, to: Math.min(rows, from + step) }
    return library.call<ArrayLike<number | bigint>>({ method: 'readRows', args, bytes: step * columns * 8 })
  }
  let next = start(0)
  for (let from = 0; from < rows; from += step) {
    throwIfAborted(options.signal)
    const to = Math.min(rows, from + step)
    const block = await next
    if (to < rows) {
      next = start(to)
      next.catch(() => {}) // thrown when it is awaited, unless this loop has failed before
    }
    checkBlock(block, (to - from) * columns, name)
    copyNumbers(block, values, from * columns, columns, name)
    options.onProgress?.({ what: 'reading', done: to, total: rows })
  }
  return new DenseMatrix(rows, columns, values)
}

function checkBlock(block: ArrayLike<unknown> | undefined, length: number, name: string): void {
  if (block?.length === length) return
  throw new EngineError('BAD_DATA', `found ${block?.length ?? 'no'} numbers in some rows, expected ${length}`, {
    where: { file: name },
    hint: 'Copy or download it again.',
  })
}

function findPart(parts: readonly Part[], name: string, wanted: string | undefined): Part {
  const only = parts.length === 1 && wanted === undefined ? parts[0] : undefined
  const found = parts.find(part => part.name === (wanted ?? defaultPart)) ?? only
  if (found) return found
  const names = parts.map(part => part.name).join(', ') || 'none'
  throw new EngineError('UNKNOWN_NAME', `there is no matrix "${wanted ?? defaultPart}"; the file has: ${names}`, {
    where: { file: name },
    hint: 'Name one of them with the option `part`.',
  })
}

function shapeOf({ shape, path }: Part, name: string): [number, number] {
  const [rows, columns, ...more] = shape ?? []
  if (rows !== undefined && columns !== undefined && more.length === 0) {
    if (rows > 0 && columns > 0) return [rows, columns]
    throw new EngineError('EMPTY_DATA', `${path} is ${rows} × ${columns}: it has no numbers`, { where: { file: name } })
  }
  throw new EngineError(
    'BAD_DATA',
    `${path} is ${shape?.join(' × ') || 'a single value'}, expected a matrix of rows × columns`,
    { where: { file: name }, hint: 'Sparse ann-benchmarks sets are not supported.' },
  )
}

/** An array of the kind that keeps the matrix's numbers. */
function makeValues({ dtype, path }: Part, name: string, length: number): DenseValues {
  if (length > 2 ** 30) {
    throw new EngineError('OUT_OF_MEMORY', `${path} has ${length} numbers, more than fit in one memory (2³⁰)`, {
      where: { file: name },
      hint: 'Split the rows into several files.',
    })
  }
  // h5wasm names types as Python's struct module does: order, then a letter.
  const letter = typeof dtype === 'string' ? dtype.slice(-1) : ''
  if (letter === 'B') return new Uint8Array(length)
  if ('bhHiIqQ'.includes(letter) && letter !== '') return new Int32Array(length)
  if ('fd'.includes(letter) && letter !== '') return new Float32Array(length)
  throw new EngineError('BAD_DATA', `${path} is of type ${JSON.stringify(dtype)}, expected numbers`, {
    where: { file: name },
  })
}

/** Copies `block` to `values` at `at`; numbers that do not fit are refused. */
function copyNumbers(
  block: ArrayLike<number | bigint>,
  values: DenseValues,
  at: number,
  columns: number,
  name: string,
): void {
  for (let i = 0; i < block.length; i++) {
    const value = Number(block[i])
    values[at + i] = value
    const fits = values instanceof Float32Array ? Number.isFinite(values[at + i]) : values[at + i] === value
    if (!fits) {
      const place = `row ${Math.floor((at + i) / columns)}, column ${(at + i) % columns}`
      const expected = values instanceof Float32Array ? 'a finite 32-bit number' : 'a whole number in [-2³¹, 2³¹)'
      throw new EngineError('BAD_DATA', `${place} is ${value}, expected ${expected}`, { where: { file: name } })
    }
  }
}
