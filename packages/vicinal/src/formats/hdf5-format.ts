// HDF5 as ann-benchmarks publishes it, read with h5wasm, which is loaded when the first file is: matrices called train,
// test, neighbors and distances. The option `part` says which one; without it, it is train, or the only one there is.

import { type Dataset, type DenseMatrix, EngineError } from '@vicinal/core'
import { type Format, type Input, type ReadOptions, readAll } from '@vicinal/core/data'
import type { File } from 'h5wasm'
import { readMatrix } from './hdf5-matrix.ts'
import { seekablePath } from './seekable-path.ts'

/** `\x89HDF\r\n\x1a\n` */
const magic = Object.freeze([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a])
let filesInMemory = 0

export const hdf5: Format = Object.freeze({
  name: 'hdf5',
  title: 'HDF5 of ann-benchmarks: the matrix train, or another `part`',
  extensions: Object.freeze(['hdf5', 'h5']),
  recognize: (head: Uint8Array) => magic.every((byte, i) => head[i] === byte),
  read,
})

async function read(input: Input, options: ReadOptions): Promise<Dataset> {
  const path = await seekablePath(input)
  const features = path === undefined ? await readInMemory(input, options) : await readPath(path, input, options)
  return { name: input.name, rows: features.rows, features }
}

/** Node's build reads the file piece by piece. */
async function readPath(path: string, input: Input, options: ReadOptions): Promise<DenseMatrix> {
  const library = await import('h5wasm/node')
  const module = await library.ready
  module.activate_throwing_error_handler()
  return guard(input, () => readFile(new library.File(path, 'r'), input, options))
}

/** The other build has a file system of its own, in memory: for what is no file, or gzipped. */
async function readInMemory(input: Input, options: ReadOptions): Promise<DenseMatrix> {
  const bytes = await readAll(input, options)
  const library = await import('h5wasm')
  const module = await library.ready
  module.activate_throwing_error_handler()
  const name = `/input-${filesInMemory++}.h5`
  module.FS.writeFile(name, bytes)
  try {
    return guard(input, () => readFile(new library.File(name, 'r'), input, options))
  } finally {
    module.FS.unlink(name)
  }
}

function readFile(file: File, input: Input, options: ReadOptions): DenseMatrix {
  try {
    return readMatrix(file, input.name, options)
  } finally {
    file.close()
  }
}

/** Turns the library's failures into ours. */
function guard<T>(input: Input, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof EngineError) throw cause
    throw new EngineError('BAD_DATA', `the HDF5 file cannot be read: ${lastReason(cause)}`, {
      where: { file: input.name },
      cause,
      hint: 'Copy or download it again.',
    })
  }
}

/** HDF5 reports a whole stack, from the call to the reason: its last entry says most. */
function lastReason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  return [...message.matchAll(/\(\): (.+)/g)].at(-1)?.[1] ?? message
}
