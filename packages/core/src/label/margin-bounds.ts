// What is proven about the error on new items (paper 004): with probability 1 − δ it is at most the share of rows dropped plus Δ.
// Theorem 5, as printed: Δ_fat = √( 2/n · ( 2 (16 L)^D log(20 k) + ln(2 L / δ) ) ) + 1/n.
// Theorem 4, as printed: Δ_Rad = c_D L (log(5 k) / n)^(1 / (D + 1)) + √( log log₂ 2L / n )₊ + √( log(2/δ) / 2n ); c_D is not printed.
// Both take distances of at most 1, so L is per largest distance; D is the doubling dimension, which we can only estimate.

export interface BoundFacts {
  /** Training rows. */
  readonly rows: number
  /** How many labels there are (k). */
  readonly labels: number
  /** L, for distances of at most 1. */
  readonly lipschitz: number
  /** D. */
  readonly dimension: number
  /** δ. */
  readonly uncertainty: number
}

/** Δ_fat of Theorem 5. The logarithms are natural. */
export function fatBound({ rows, labels, lipschitz, dimension, uncertainty }: BoundFacts): number {
  const entropy = 2 * (16 * lipschitz) ** dimension * Math.log(20 * labels)
  // Below L = δ / 2 the printed logarithm is negative: it then is left out, which makes the bound no smaller.
  const inside = (2 / rows) * (entropy + Math.max(0, Math.log((2 * lipschitz) / uncertainty)))
  return finite(Math.sqrt(inside) + 1 / rows)
}

/** Δ_Rad of Theorem 4, for a constant c_D of the caller's. */
export function rademacherBound(
  { rows, labels, lipschitz, dimension, uncertainty }: BoundFacts,
  constant: number,
): number {
  const entropy = constant * lipschitz * (Math.log(5 * labels) / rows) ** (1 / (dimension + 1))
  const levels = Math.sqrt(Math.max(0, Math.log(Math.max(1, Math.log2(2 * lipschitz)))) / rows)
  return finite(entropy + levels + Math.sqrt(Math.log(2 / uncertainty) / (2 * rows)))
}

/** Model files hold no infinity. */
function finite(value: number): number {
  return Math.min(value, Number.MAX_VALUE)
}
