// Kernels compute the size of their scratch memory by laying it out in a small dummy block.

/** Bytes of such a block: no kernel needs more. */
// @ts-ignore: decorator
@inline
export const roomBytes: u32 = 256
