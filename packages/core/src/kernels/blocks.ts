// Blocks: lists of numbers in the arena that kernels read by name. The classes of assembly/blocks define their fields;
// `npm run build:kernels` writes generated/blocks, so that a field which only one side knows does not compile.

import type { Allocator, Slice } from './arena.ts'

export interface Block<Fields> {
  /** Numbers of 32 bits. */
  readonly length: number
  readonly write: (words: Uint32Array, fields: Fields) => void
}

/** Writes a block into the arena; `pointer` is what kernels take. */
export function placeBlock<Fields>(
  keeper: Allocator,
  block: Block<Fields>,
  fields: NoInfer<Fields>,
): Slice<Uint32Array> {
  const slice = keeper.allocate(Uint32Array, block.length)
  block.write(slice.array, fields)
  return slice
}
