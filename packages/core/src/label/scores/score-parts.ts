// The score of LCIF (paper 003, Definitions 6, 8 and 9), in the parts that neighbors and features add to it:
//   score of a label = Σ neighborParts of the neighbors that carry it + Σ featureParts · strength of the feature for it
// where neighbors share `mix` and features share 1 − mix. Explanations and trials call these functions. Predictions need the same
// sums faster: they are in assembly/label/scores.ts, and label-scores.test.ts compares the two.

/** Neighbors [from, from + count) of a list. */
export interface NeighborSpan {
  readonly similarities: Float32Array
  readonly from: number
  readonly count: number
}

/**
 * What each neighbor adds to every label it carries: its part of `share`, by (similarity / the largest one) ^ power. Written to
 * `out`, which trials reuse.
 */
export function neighborParts(
  { similarities, from, count }: NeighborSpan,
  power: number,
  share: number,
  out: Float64Array = new Float64Array(count),
): Float64Array {
  let largest = 0
  for (let i = from; i < from + count; i++) if (similarities[i] > largest) largest = similarities[i]
  for (let i = 0; i < count; i++) {
    const similarity = similarities[from + i]
    // Relative to the largest, because high powers of small numbers are 0.
    out[i] = similarity > 0 ? strength(similarity / largest, power) : 0
  }
  return divide(share, out, count)
}

/** What each feature adds to a label of strength 1: its part of `share`, by its value. */
export function featureParts(values: Float32Array, share: number): Float64Array {
  return divide(share, new Float64Array(values), values.length)
}

/** How much a similarity counts: of an item and a neighbor, or of a feature and a label. */
export function strength(similarity: number, power: number): number {
  return similarity ** power
}

/** Turns the first `count` amounts into parts of `share`. If all amounts are 0, all parts are 0. */
function divide(share: number, amounts: Float64Array, count: number): Float64Array {
  let total = 0
  for (let i = 0; i < count; i++) total += amounts[i]
  const part = total > 0 ? share / total : 0
  for (let i = 0; i < count; i++) amounts[i] *= part
  return amounts
}
