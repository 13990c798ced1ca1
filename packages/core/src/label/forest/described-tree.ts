// One tree of a forest in words, for pictures and for people.

/** A node of a described tree, with everything below it. An item goes left where Σ weight · value over `terms` is below `threshold`. */
export interface DescribedNode {
  /** Training rows that pass here. */
  readonly rows: number
  /** The labels of these rows, those of the most rows first. */
  readonly labels: readonly { readonly label: string; readonly rows: number }[]
  /** Absent for a leaf. */
  readonly split?: DescribedSplit
}

/** An inner node of a described tree. */
export interface DescribedSplit {
  /** The features that decide, the heaviest weight first. */
  readonly terms: readonly { readonly feature: string; readonly weight: number }[]
  readonly threshold: number
  readonly left: DescribedNode
  readonly right: DescribedNode
}
