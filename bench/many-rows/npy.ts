// Rows of float32 in NumPy's file format, read in place: a reader that copied them would count in the memory that we measure.

import { closeSync, openSync, readSync } from 'node:fs'

const headerBytes = 128

export function npyHeader(rows: number, columns: number): Uint8Array {
  const facts = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`
  const text = `\x93NUMPY\x01\x00v\x00${facts}`.padEnd(headerBytes - 1)
  return Buffer.from(`${text}\n`, 'latin1')
}

/** The first `most` rows of a file that `npyHeader` begins, or all. */
export function readNpy(
  file: string,
  most = Number.POSITIVE_INFINITY,
): { rows: number; columns: number; values: Float32Array } {
  const handle = openSync(file, 'r')
  try {
    const header = Buffer.alloc(headerBytes)
    readSync(handle, header, 0, headerBytes, 0)
    const [, rows, columns] = (/\((\d+), (\d+)\)/.exec(header.toString('latin1')) ?? []).map(Number)
    if (!rows || !columns) throw new Error(`${file} holds no rows`)
    const count = Math.min(rows, most)
    const values = new Float32Array(count * columns)
    const bytes = new Uint8Array(values.buffer)
    for (let done = 0; done < bytes.length; ) {
      done += readSync(handle, bytes, done, Math.min(2 ** 26, bytes.length - done), headerBytes + done)
    }
    return { rows: count, columns, values }
  } finally {
    closeSync(handle)
  }
}
