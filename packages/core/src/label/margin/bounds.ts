// Bounds on the error on new items.
// Proven, from the data alone: sample compression (Littlestone and Warmuth 1986; for nearest neighbors Gottlieb, Kontorovich and
// Nisnevitch 2014). A classifier that is fixed by m of the n rows was never fitted to the others, so these are a test set; a union bound
// over the C(n, m) ≤ (e n / m)^m choices and over m, and Chernoff's bound in relative entropy, make this a bound for the m rows that
// were picked after looking at the data. Which rows, and how they bound the error of the model: compression.ts.
// Estimates (paper 004): the share of rows dropped plus Δ, where D is the doubling dimension of the whole space, which no sample proves.
// Theorem 5, as printed: Δ_fat = √( 2/n · ( 2 (16 L)^D log(20 k) + ln(2 L / δ) ) ) + 1/n.
// Theorem 4, as printed: Δ_Rad = c_D L (log(5 k) / n)^(1 / (D + 1)) + √( log log₂ 2L / n )₊ + √( log(2/δ) / 2n ); c_D is not printed.
// Both take distances of at most 1, so L is per largest distance.

export interface CompressionFacts {
  /** Training rows. */
  readonly rows: number
  /** Of these, the rows that fix the classifier. */
  readonly size: number
  /** Errors on the other rows. */
  readonly errors: number
  /** Other information that fixes the classifier, in nats. */
  readonly nats: number
  /** δ. */
  readonly uncertainty: number
}

/** With probability 1 − δ the error on new items is at most this. Never above 1. */
export function compressionBound({ rows, size, errors, nats, uncertainty }: CompressionFacts): number {
  const others = rows - size
  if (others <= 0 || errors >= others) return 1
  // δ / (m (m + 1)) for each m: these sum to δ at most.
  const choices = size * (1 + Math.log(rows / size)) + Math.log(size * (size + 1))
  return highestError(errors / others, (choices + nats - Math.log(uncertainty)) / others)
}

/** The p above `share` for which kl(share ‖ p) is `entropy`, rounded up. */
function highestError(share: number, entropy: number): number {
  let [low, high] = [share, 1]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (relativeEntropy(share, middle) < entropy) low = middle
    else high = middle
  }
  return high
}

/** kl(q ‖ p) of two coins. */
function relativeEntropy(q: number, p: number): number {
  const heads = q === 0 ? 0 : q * Math.log(q / p)
  return heads + (1 - q) * (Math.log1p(-q) - Math.log1p(-p))
}

/** The largest size at which the bound stays below `target`; 0 if none does. The bound grows with the size. */
export function largestSize(facts: Omit<CompressionFacts, 'size'>, target: number): number {
  let [low, high] = [0, facts.rows]
  while (high - low > 1) {
    const size = (low + high) >> 1
    if (compressionBound({ ...facts, size }) < target) low = size
    else high = size
  }
  return low
}

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
  // Below L = δ / 2 the printed logarithm is negative: then it is left out, which makes the bound no smaller.
  const inside = (2 / rows) * (entropy + Math.max(0, Math.log((2 * lipschitz) / uncertainty)))
  return finite(Math.sqrt(inside) + 1 / rows)
}

/** Δ_Rad of Theorem 4, for the caller's constant c_D. */
export function rademacherBound(
  { rows, labels, lipschitz, dimension, uncertainty }: BoundFacts,
  constant: number,
): number {
  const entropy = constant * lipschitz * (Math.log(5 * labels) / rows) ** (1 / (dimension + 1))
  const levels = Math.sqrt(Math.max(0, Math.log(Math.max(1, Math.log2(2 * lipschitz)))) / rows)
  return finite(entropy + levels + Math.sqrt(Math.log(2 / uncertainty) / (2 * rows)))
}

/** Model files cannot hold infinity. */
function finite(value: number): number {
  return Math.min(value, Number.MAX_VALUE)
}
