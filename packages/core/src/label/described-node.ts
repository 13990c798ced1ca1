// A tree of a classifier as people read it.

import type { NamedLabel } from './label-names.ts'

/** A node of a described tree, with everything below it. An item goes left if Σ weight · value over `terms` is below `threshold`. */
export interface DescribedNode {
  /** Training rows that pass here. */
  readonly rows: number
  /** The labels of these rows, most frequent first. */
  readonly labels: readonly (NamedLabel & { readonly rows: number })[]
  /** Absent for a leaf. */
  readonly split?: DescribedSplit
}

/** An inner node of a described tree. */
export interface DescribedSplit {
  /** The features that decide, largest weight first. */
  readonly terms: readonly { readonly feature: string; readonly weight: number }[]
  readonly threshold: number
  readonly left: DescribedNode
  readonly right: DescribedNode
}
