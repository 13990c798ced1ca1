// What grows trees and fills their leaves.

import { wasm } from '../generated/trees.ts'
import type { KernelSet } from '../modules/kernel-set.ts'

/** What grows trees and fills their leaves. They take byte addresses and counts, and check nothing. */
export interface TreeKernels {
  /**
   * Grows one tree, one step per call; the blocks are those of trees/grow-trees.ts. Returns the number of nodes, 0 if its weights found
   * no room, or −1: call again with the next step.
   */
  readonly growTree: (scratch: number, block: number, tree: number, seed: number, out: number, step: number) => number
  /** Bytes of scratch for it; `room` is roomBytes bytes to work with. */
  readonly growScratchBytes: (block: number, room: number) => number
  /** How many labels each leaf of a tree counts, into sizes u32 [leaves]; returns the highest count. See forest/count-leaves.ts. */
  readonly leafSizes: (
    scratch: number,
    order: number,
    leafStarts: number,
    leaves: number,
    labelOffsets: number,
    labelIndices: number,
    labels: number,
    sizes: number,
  ) => number
  /** Writes what the leaves of a tree count. */
  readonly fillLeaves: (
    scratch: number,
    order: number,
    leafStarts: number,
    leaves: number,
    labelOffsets: number,
    labelIndices: number,
    labels: number,
    entries: number,
    countBits: number,
  ) => void
}

/** For `engine.exactKernels` and `pool.run`. */
export const treeKernels: KernelSet<TreeKernels> = { name: 'trees', first: 'growTree', plain: wasm }
