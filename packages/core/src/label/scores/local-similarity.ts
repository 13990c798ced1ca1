// How similar dense rows are: exp(−(distance / reach)²), where the reach is the distance of the item's tenth nearest row. So the units of
// the columns do not matter, and in dense regions "close" means closer. A power of it makes the bell narrower.

import type { LabelKernels } from '../../kernels/sets/label.ts'

/** Which neighbor is at e⁻¹. */
const reachNeighbor = 10

/** The similarities of `distances`, nearest first, into `out`. */
export function localSimilarities(
  distances: ArrayLike<number>,
  from: number,
  count: number,
  out: Float32Array,
  { powerOf }: Pick<LabelKernels, 'powerOf'>,
): void {
  if (count === 0) return
  const reach = distances[from + Math.min(reachNeighbor, count) - 1]
  for (let i = from; i < from + count; i++) {
    // Ten equal rows have reach 0: only equal rows are similar then.
    const ratio = reach > 0 ? distances[i] / reach : distances[i] > 0 ? Number.POSITIVE_INFINITY : 0
    out[i] = ratio < 10 ? powerOf(1 / Math.E, ratio * ratio) : 0
  }
}
