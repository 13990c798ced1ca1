// Reads matrices of an HDF5 file with h5wasm, in blocks of rows, because the library's memory is small.

import { File, ready } from 'h5wasm/node'

/** @import { Dataset } from 'h5wasm' */

/** @type {Map<string, Dataset>} */
const matrices = new Map()
/** @type {File | undefined} */
let file

/**
 * Opens the file at `path` and lists the data sets at its top.
 * @param {{ path: string }} args
 */
export async function openFile({ path }) {
  const module = await ready
  module.activate_throwing_error_handler()
  file = new File(path, 'r')
  for (const key of file.keys()) {
    const entity = file.get(key)
    if (isDataset(entity)) matrices.set(key, entity)
  }
  return [...matrices].map(([name, { path: place, shape, dtype }]) => ({ name, path: place, shape, dtype }))
}

export function closeFile() {
  matrices.clear()
  file?.close()
  file = undefined
}

/**
 * Rows [from, to) of a matrix.
 * @param {{ name: string, from: number, to: number }} args
 */
export function readRows({ name, from, to }) {
  return matrices.get(name)?.slice([[from, to], []])
}

/**
 * @param {unknown} entity
 * @returns {entity is Dataset}
 */
function isDataset(entity) {
  return typeof entity === 'object' && entity !== null && 'type' in entity && entity.type === 'Dataset'
}
