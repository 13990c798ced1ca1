// HDF5 as ann-benchmarks publishes it, read with h5wasm in a process of its own: matrices called train, test, neighbors and
// distances. The option `part` says which one; without it, it is train, or the only one there is.

import type { Dataset, DenseMatrix } from '@vicinal/core'
import type { Format, Input, ReadOptions } from '@vicinal/core/data'
import { readMatrix } from './hdf5-matrix.ts'
import { withLibrary } from './library-process.ts'
import { withLocalFile } from './local-file.ts'

/** `\x89HDF\r\n\x1a\n` */
const magic = Object.freeze([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a])

export const hdf5: Format = Object.freeze({
  name: 'hdf5',
  title: 'HDF5 of ann-benchmarks: the matrix train, or another `part`',
  extensions: Object.freeze(['hdf5', 'h5']),
  recognize: (head: Uint8Array) => isAt(head, 0),
  read,
})

function isAt(head: Uint8Array, place: number): boolean {
  return magic.every((byte, i) => head[place + i] === byte)
}

/** A user block may come first: 512 bytes, or 1024, 2048 and so on. */
function isIn(head: Uint8Array): boolean {
  for (let place = 512; place < head.length; place *= 2) if (isAt(head, place)) return true
  return isAt(head, 0)
}

async function read(input: Input, options: ReadOptions): Promise<Dataset> {
  const features = await withLocalFile<DenseMatrix>(input, options, { title: 'HDF5', isIn }, path =>
    withLibrary('hdf5', input.name, options, library => readMatrix(library, path, input.name, options)),
  )
  return { name: input.name, rows: features.rows, features }
}
