// The forest: trees that partition the space (grower), leaves that count labels (label source), scores from the counts (rule). It
// does not know what a label means: for search a label is a corpus row, for classifiers it is a label.

import type { Allocator, Scope, Slice, TypedArray } from '../kernels/arena.ts'
import type { Engine } from '../kernels/engine.ts'
import {
  axisSplits,
  forestAt,
  forestBlock,
  levelSplits,
  nodeSplits,
  sparseSplits,
} from '../kernels/generated/blocks/forest.ts'
import { finish, type Steps } from '../long-work.ts'
import type { SplitKind } from '../trees/grower.ts'
import type { PackedDirections } from '../trees/packed-directions.ts'
import { AddedEntries } from './added-entries.ts'
import { type FeatureBuckets, findBuckets } from './feature-buckets.ts'
import { checkPacking, type LeafCounts } from './leaf-counts.ts'
import { type PackedLeaves, repackLeaves } from './repack-leaves.ts'
import { type FeatureLists, listByFeature } from './top-directions.ts'
import type { TreeNodes } from './tree-nodes.ts'

/** Everything a forest is made of; all slices are the forest's own. */
export interface ForestParts extends TreeNodes, LeafCounts {
  readonly splits: SplitKind
  readonly dims: number
  readonly trees: number
  /** Levels that share directions: the trees' greatest depth. */
  readonly depth: number
  readonly directionOffsets: Slice<Uint32Array>
  readonly directionIndices: Slice<Uint32Array>
  readonly directionValues: Slice<Float32Array>
  /** Of sparse splits, whose offsets count words: the directions, packed (src/trees/packed-directions.ts). */
  readonly directionWords: Slice<Uint32Array>
  /** Of sparse splits: how many directions are listed by feature, the first ones. */
  readonly listed: number
  /** Labels are below this. */
  readonly labels: number
  /** A label scores 1 in a tree if the leaf has it, instead of its proportion among the leaf's rows. */
  readonly plainVotes: boolean
}

export const splitKinds: readonly SplitKind[] = ['axis', 'level', 'node', 'sparse']
const splitNumbers: Readonly<Record<SplitKind, number>> = {
  axis: axisSplits,
  level: levelSplits,
  node: nodeSplits,
  sparse: sparseSplits,
}

export class Forest {
  readonly splits: SplitKind
  readonly dims: number
  readonly trees: number
  readonly #engine: Engine
  readonly #discard: (slice: Slice) => void
  readonly #block: Slice<Uint32Array>
  readonly #added: AddedEntries
  /** For sparse splits, made again for every forest: what routing looks up. */
  readonly #lists: FeatureLists
  readonly #buckets: FeatureBuckets
  #parts: ForestParts

  /** Takes the parts over. `discard` frees what batches may still be reading. */
  constructor(engine: Engine, parts: ForestParts, discard: (slice: Slice) => void = slice => slice.free()) {
    this.#engine = engine
    this.#discard = discard
    this.#parts = parts
    this.splits = parts.splits
    this.dims = parts.dims
    this.trees = parts.trees
    this.#block = engine.arena.allocate(Uint32Array, forestBlock.length)
    this.#added = new AddedEntries(engine.arena, parts.rows.length, discard)
    const packed = () => packedOf(parts)
    this.#lists = listByFeature(engine.arena, packed, parts.listed, parts.dims)
    this.#buckets = findBuckets(engine.arena, packed, parts.listed, parts.dims)
    this.#writeBlock()
  }

  /** Address of the block that kernels read. */
  get pointer(): number {
    return this.#block.pointer
  }

  get parts(): ForestParts {
    return this.#parts
  }

  /** Labels are below this. */
  get labels(): number {
    return this.#parts.labels
  }

  /** Makes room for labels below `labels`; refuses more than entries have bits for. */
  extendLabels(labels: number): void {
    checkPacking(labels, this.#parts.countBits)
    this.#parts = { ...this.#parts, labels: Math.max(labels, this.#parts.labels) }
    this.#writeBlock()
  }

  /** One more training row in these leaves. */
  countRow(leaves: Uint32Array): void {
    const rows = this.#parts.rows.array
    for (const leaf of leaves) rows[leaf]++
  }

  /** Counts a label once more in these leaves. */
  countLabel(label: number, leaves: Uint32Array): void {
    const { countBits } = this.#parts
    const before = this.#added.entries
    this.#added.addTo(leaves, ((label << countBits) | 1) >>> 0)
    if (this.#added.entries !== before) this.#writeBlock()
  }

  /** One training row less in these leaves, with these labels. */
  uncountRow(leaves: Uint32Array, labels: Uint32Array): void {
    const rows = this.#parts.rows.array
    for (const leaf of leaves) {
      rows[leaf]--
      for (const label of labels) this.#uncount(leaf, label)
    }
  }

  #uncount(leaf: number, label: number): void {
    const { offsets, entries, countBits } = this.#parts
    let [from, to] = [offsets.array[leaf], offsets.array[leaf + 1]]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (entries.array[middle] >>> countBits < label) from = middle + 1
      else to = middle
    }
    const entry = from < offsets.array[leaf + 1] ? entries.array[from] : 0
    const isThere = entry >>> countBits === label && (entry & (2 ** countBits - 1)) > 0
    if (isThere) entries.array[from]--
    else this.#added.drop(leaf, ((label << countBits) | 1) >>> 0)
  }

  /** Copies the arrays in which counts change, because batches are reading them. */
  detach(): void {
    const { entries } = this.#parts
    const copy = this.#engine.arena.place(entries.array, 'the labels of the leaves')
    this.#discard(entries)
    this.#parts = { ...this.#parts, entries: copy }
    this.#added.detach()
    this.#writeBlock()
  }

  /** How many entries were added since the last repacking, how many are packed, and in how many leaves. */
  get entryCounts(): { readonly added: number; readonly packed: number; readonly leaves: number } {
    const { entries, offsets } = this.#parts
    return { added: this.#added.count, packed: entries.length, leaves: offsets.length - 1 }
  }

  /** Repacks all entries: includes added ones, renumbers labels, and drops those whose new number is `dropped`. */
  repack(newLabels: Uint32Array | undefined, labels: number): void {
    this.takeLeaves(finish(repackLeaves(this.#parts, this.#added, newLabels, labels)), labels)
  }

  /** What `repack` would pack, in steps, as it is when this is called. Hold the leaves: they may move meanwhile. */
  repacking(newLabels: Uint32Array, labels: number): Steps<PackedLeaves> {
    return repackLeaves(this.#parts, this.#added.copy(), newLabels, labels)
  }

  /** What `repacking` returned, if nothing has changed since. */
  takeLeaves(packed: PackedLeaves, labels: number): void {
    const arena = this.#engine.arena
    const offsets = arena.place(packed.offsets, 'leaves')
    const entries = arena.place(packed.entries, 'the labels of the leaves')
    this.#discard(this.#parts.offsets)
    this.#discard(this.#parts.entries)
    this.#parts = { ...this.#parts, offsets, entries, countBits: packed.countBits, labels }
    this.#added.clear()
    this.#writeBlock()
  }

  /** A copy of the block for a batch: later changes do not affect it. */
  snapshot(scope: Scope): number {
    const block = scope.place(this.#block.array)
    const rows = scope.place(this.#parts.rows.array)
    const heads = this.#added.copyHeads(scope)
    block.array[forestAt.leafRows] = rows.pointer
    block.array[forestAt.addedHeads] = heads
    return block.pointer
  }

  /** Frees its memory. */
  free(): void {
    const { nodes, roots, ownDirections, offsets, entries, rows } = this.#parts
    const { directionOffsets, directionIndices, directionValues, directionWords } = this.#parts
    const slices: Slice[] = [nodes, roots, ownDirections, offsets, entries, rows]
    const directions = [directionOffsets, directionIndices, directionValues, directionWords]
    const own = [this.#block, ...Object.values(this.#lists), ...Object.values(this.#buckets)]
    for (const slice of [...slices, ...directions, ...own]) this.#discard(slice)
    this.#added.free()
  }

  #writeBlock(): void {
    const p = this.#parts
    forestBlock.write(this.#block.array, {
      splits: splitNumbers[p.splits],
      dims: p.dims,
      trees: p.trees,
      nodes: p.nodes.pointer,
      roots: p.roots.pointer,
      levels: p.splits === 'level' ? p.depth : 0,
      levelOffsets: p.directionOffsets.pointer,
      levelIndices: p.directionIndices.pointer,
      levelValues: p.directionValues.pointer,
      ownDirections: p.ownDirections.pointer,
      leafOffsets: p.offsets.pointer,
      leafEntries: p.entries.pointer,
      leafRows: p.rows.pointer,
      countBits: p.countBits,
      labels: p.labels,
      addedHeads: this.#added.heads,
      addedEntries: this.#added.entries,
      plainVotes: p.plainVotes ? 1 : 0,
      listed: p.listed,
      listOffsets: this.#lists.offsets.pointer,
      listWords: this.#lists.words.pointer,
      listRowNumbers: this.#lists.rowNumbers.pointer,
      listRows: this.#lists.rows.pointer,
      listScales: this.#lists.scales.pointer,
      words: p.directionWords.pointer,
      bucketStarts: this.#buckets.starts.pointer,
      bucketBounds: this.#buckets.bounds.pointer,
    })
  }
}

/** Of sparse splits. */
export function packedOf({ splits, directionOffsets, directionWords }: ForestParts): PackedDirections {
  return { offsets: splits === 'sparse' ? directionOffsets.array : Uint32Array.of(0), words: directionWords.array }
}

/** Copies the typed arrays of a model file into the arena, as a forest's parts. */
export function placeParts(keeper: Allocator, arrays: ForestArrays): ForestParts {
  const place = <T extends TypedArray>(array: T) => keeper.place(array, 'the forest')
  const { splits, dims, trees, depth, listed, labels, plainVotes, countBits } = arrays
  return {
    ...{ splits, dims, trees, depth, listed, labels, plainVotes, countBits },
    nodes: place(arrays.nodes),
    roots: place(arrays.roots),
    ownDirections: place(arrays.ownDirections),
    directionOffsets: place(arrays.directionOffsets),
    directionIndices: place(arrays.directionIndices),
    directionValues: place(arrays.directionValues),
    directionWords: place(arrays.directionWords),
    offsets: place(arrays.offsets),
    entries: place(arrays.entries),
    rows: place(arrays.rows),
  }
}

/** The parts as plain arrays. */
export type ForestArrays = {
  readonly [Name in keyof ForestParts]: ForestParts[Name] extends Slice<infer T> ? T : ForestParts[Name]
}
