// The small linear models of a memory (src/memory/learning reads and updates them).

/** The header of a hash table; the slots follow. */
@unmanaged
export class Table {
  /** The logarithm of the number of slots. */
  bits: u32
  used: u32
  bias: f32
  /** The sum of the bias' squared gradients. */
  biasSquares: f32
}

/** A feature and its two numbers. */
@unmanaged
export class Slot {
  feature: u32
  weight: f32
  /** The sum of its squared gradients. */
  squares: f32
}

/** As a feature: the slot is empty. No feature has this number. */
// @ts-ignore: decorator
@inline
export const emptySlot: u32 = 0xffffffff
