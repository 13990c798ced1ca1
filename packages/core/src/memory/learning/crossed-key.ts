// Pairs of a query's feature and a memory's value: the features of the scorer's opinions. They are hashed, so that no list of values is needed.

import type { SparseRow } from '../../matrix/sparse-matrix.ts'

/** There are at most 2^20 of them: a table of opinions takes at most 24 MiB. */
const crossedMask = 2 ** 20 - 1

/** `value` is the JSON of a memory's value. */
export function crossedKey({ indices, values }: SparseRow, value: string): SparseRow {
  const salt = hashText(value)
  return { indices: indices.map(feature => mixed(feature, salt) & crossedMask), values }
}

/** FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

function mixed(feature: number, salt: number): number {
  let hash = Math.imul(feature ^ salt, 0x85ebca77)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae3d)
  return hash ^ (hash >>> 16)
}
