// Rows as growers read them, dense or sparse: runs of indices and values. A dense row's indices are the same for all rows.

import { Growth } from '../blocks/growth'


// @ts-ignore: decorator
@inline
export function isSparse(block: Growth): bool {
  return block.view == 0
}

// @ts-ignore: decorator
@inline
export function rowStart(block: Growth, row: u32): u32 {
  return load<u32>(block.rowOffsets + (<usize>row << 2))
}

/** How many entries a row has. */
// @ts-ignore: decorator
@inline
export function rowLength(block: Growth, row: u32): u32 {
  return isSparse(block) ? load<u32>(block.rowOffsets + (<usize>row << 2), 4) - rowStart(block, row) : block.dims
}

/** The row's indices; `identity` is u32 [dims], 0, 1, 2 …, for dense rows. */
// @ts-ignore: decorator
@inline
export function indicesOf(block: Growth, row: u32, identity: usize): usize {
  return isSparse(block) ? block.rowIndices + (<usize>rowStart(block, row) << 2) : identity
}

// @ts-ignore: decorator
@inline
export function valuesOf(block: Growth, row: u32): usize {
  if (isSparse(block)) return block.rowValues + (<usize>rowStart(block, row) << 2)
  return block.view + ((<usize>row * <usize>block.dims) << 2)
}

/** The place of `index` in an ascending list, or of the first one above it. Branch-free: half of the branches would be mispredicted. */
function placeOf(indices: usize, count: u32, index: u32): u32 {
  if (count == 0) return 0
  let from: u32 = 0
  let size = count
  while (size > 1) {
    const half = size >> 1
    from = select<u32>(from + half, from, load<u32>(indices + (<usize>(from + half - 1) << 2)) < index)
    size -= half
  }
  return from + <u32>(load<u32>(indices + (<usize>from << 2)) < index)
}

function sparseCoordinate(block: Growth, row: u32, axis: u32): f32 {
  const indices = indicesOf(block, row, 0)
  const length = rowLength(block, row)
  const place = placeOf(indices, length, axis)
  const found = place < length && load<u32>(indices + (<usize>place << 2)) == axis
  return found ? load<f32>(valuesOf(block, row) + (<usize>place << 2)) : 0
}

/** A row's value on one axis. */
// @ts-ignore: decorator
@inline
export function coordinate(block: Growth, row: u32, axis: u32): f32 {
  if (isSparse(block)) return sparseCoordinate(block, row, axis)
  return load<f32>(block.view + ((<usize>row * <usize>block.dims + <usize>axis) << 2))
}
