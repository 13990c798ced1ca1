// Kernels that count the bytes of scratch lay it out to count them, in a room at its beginning.

/** Bytes of such a room: no kernel needs more. */
// @ts-ignore: decorator
@inline
export const roomBytes: u32 = 256
