// Repacks leaves: includes entries that were added, renumbers labels, and drops some.

import type { Steps } from '../long-work.ts'
import { bitsFor, checkPacking, type LeafCounts } from './leaf-counts.ts'

/** In a table of new numbers: the label is dropped. */
export const dropped = 0xffffffff

export interface PackedLeaves {
  readonly offsets: Uint32Array
  readonly entries: Uint32Array
  readonly countBits: number
}

/** Entries that were added since the leaves were packed. */
export interface AddedToLeaves {
  readonly count: number
  /** Calls `take` with each entry added to a leaf. */
  forEach(leaf: number, take: (entry: number) => void): void
}

const leavesPerStep = 1024
const entriesPerStep = 2 ** 17

/**
 * In steps; the leaves must not change between them. Without `newLabels` labels keep their numbers. New numbers must keep the order of
 * labels.
 */
export function* repackLeaves(
  leaves: LeafCounts,
  added: AddedToLeaves,
  newLabels: Uint32Array | undefined,
  labels: number,
): Steps<PackedLeaves> {
  const { countBits } = leaves
  const leafCount = leaves.rows.length
  const most = leaves.entries.length + added.count
  const [newOffsets, allLabels, allCounts] = [
    new Uint32Array(leafCount + 1),
    new Uint32Array(most),
    new Uint32Array(most),
  ]
  const mask = 2 ** countBits - 1
  let highest = 1
  let at = 0
  const put = (label: number, count: number) => {
    const number = newLabels ? newLabels[label] : label
    if (number === dropped || count === 0) return
    allLabels[at] = number
    allCounts[at++] = count
    highest = Math.max(highest, count)
  }
  for (let leaf = 0; leaf < leafCount; leaf++) {
    if (leaf % leavesPerStep === leavesPerStep - 1) yield
    const [offsets, packed] = [leaves.offsets.array, leaves.entries.array] // others if memory has grown in a pause
    const extra = addedCounts(added, leaf, countBits)
    for (let e = offsets[leaf]; e < offsets[leaf + 1]; e++) {
      const label = packed[e] >>> countBits
      // Entries added for this label, and for new ones before it, go here.
      while (extra.length > 0 && extra[0][0] < label) put(...(extra.shift() as [number, number]))
      const more = extra.length > 0 && extra[0][0] === label ? (extra.shift() as [number, number])[1] : 0
      put(label, (packed[e] & mask) + more)
    }
    for (const [label, count] of extra) put(label, count)
    newOffsets[leaf + 1] = at
  }
  const newBits = bitsFor(highest)
  checkPacking(labels, newBits)
  const entries = new Uint32Array(at)
  for (let e = 0; e < at; e++) {
    entries[e] = (allLabels[e] << newBits) | allCounts[e]
    if (e % entriesPerStep === entriesPerStep - 1) yield
  }
  return { offsets: newOffsets, entries, countBits: newBits }
}

/** The labels added to a leaf, ascending, and how often each was added. */
function addedCounts(added: AddedToLeaves, leaf: number, countBits: number): [number, number][] {
  const all: number[] = []
  added.forEach(leaf, entry => {
    all.push(entry)
  })
  if (all.length === 0) return []
  const counts = new Map<number, number>()
  const mask = 2 ** countBits - 1
  for (const entry of all) {
    const label = entry >>> countBits
    counts.set(label, (counts.get(label) ?? 0) + (entry & mask))
  }
  return [...counts].sort(([a], [b]) => a - b)
}
