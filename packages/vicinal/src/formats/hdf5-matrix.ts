// One matrix of an HDF5 file, read in blocks of rows straight into one array, as the library's memory is small.
// Bytes stay bytes, other whole numbers become i32, floats f32; numbers that do not fit, NaN and infinity are refused.

import { DenseMatrix, type DenseValues, EngineError, throwIfAborted } from '@vicinal/core'
import type { ReadOptions } from '@vicinal/core/data'
import type { Dataset, File } from 'h5wasm'

const blockValues = 2 ** 20
const defaultPart = 'train'

/** Reads the matrix that `part` names, by default 'train' or the only one. */
export function readMatrix(file: File, name: string, options: ReadOptions): DenseMatrix {
  const dataset = findPart(file, name, options.part)
  const [rows, columns] = shapeOf(dataset, name)
  const values = makeValues(dataset, name, rows * columns)
  const step = Math.max(1, Math.floor(blockValues / Math.max(1, columns)))
  for (let from = 0; from < rows && columns > 0; from += step) {
    throwIfAborted(options.signal)
    const to = Math.min(rows, from + step)
    // The shape and type were checked, so that the block is a typed array of numbers.
    copyNumbers(dataset.slice([[from, to], []]) as ArrayLike<number | bigint>, values, from * columns, columns, name)
    options.onProgress?.({ what: 'reading', done: to, total: rows })
  }
  return new DenseMatrix(rows, columns, values)
}

function findPart(file: File, name: string, part: string | undefined): Dataset {
  const matrices = new Map<string, Dataset>()
  for (const key of file.keys()) {
    const entity = file.get(key)
    if (isDataset(entity)) matrices.set(key, entity)
  }
  const [only] = matrices.size === 1 ? matrices.values() : []
  const found = matrices.get(part ?? defaultPart) ?? (part === undefined ? only : undefined)
  if (found) return found
  const names = [...matrices.keys()].join(', ') || 'none'
  throw new EngineError('UNKNOWN_NAME', `there is no matrix "${part ?? defaultPart}"; there are: ${names}`, {
    where: { file: name },
    hint: 'Name one of them with the option `part`.',
  })
}

function isDataset(entity: unknown): entity is Dataset {
  return typeof entity === 'object' && entity !== null && 'type' in entity && entity.type === 'Dataset'
}

function shapeOf(dataset: Dataset, name: string): [number, number] {
  const [rows, columns, ...more] = dataset.shape ?? []
  if (rows !== undefined && columns !== undefined && more.length === 0) return [rows, columns]
  const shape = dataset.shape?.join(' × ') || 'a single value'
  throw new EngineError('BAD_DATA', `${dataset.path} is ${shape}, expected a matrix of rows × columns`, {
    where: { file: name },
    hint: 'Sparse ann-benchmarks sets are not read.',
  })
}

/** An array of the kind that keeps the matrix's numbers. */
function makeValues({ dtype, path }: Dataset, name: string, length: number): DenseValues {
  if (length > 2 ** 30) {
    throw new EngineError('OUT_OF_MEMORY', `${path} has ${length} numbers, more than one memory holds (2³⁰)`, {
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
