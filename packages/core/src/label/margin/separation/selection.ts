// Which of the candidate gaps (gaps.ts) to take. By the bound (section 4 of paper 004): the share of rows dropped
// grows with the gap, what is added to it for the complexity falls, and a binary search over all gaps finds where they cross; that is
// within a factor of 4 of the best (formula 14). The few first gaps are tried as well, and those around the best of them: the lowest bound wins.

import type { Gaps } from './gaps.ts'

/** A gap that was tried, and its cost. */
export interface TriedGap {
  readonly gap: number
  /** How many rows are dropped. */
  readonly dropped: number
  /** Δ of Theorem 5, for the estimated dimension: an estimate. */
  readonly fatBound: number
  /** What is proven: the error on new items is at most this; absent if it was not computed. */
  readonly bound?: number
  /** The share of held-out rows with a wrong best label; absent if no rows were held out. */
  readonly error?: number
}

/** What a gap costs. */
export interface GapCost {
  /** The share of rows dropped, at most twice the least possible. */
  readonly share: number
  /** Q: the bound; 1 if it is neither below the target nor below twice the share. */
  readonly total: number
  /** No larger gap has a bound below this. */
  readonly floor: number
}

/** The target is what the bound has to beat. */
export type CostOf = (gap: number, target: number) => Promise<GapCost>

/** How often the stretch around the best gap is halved, on both sides. */
const halvings = 6

/** The gap with the lowest bound that was found. */
export async function leastBound(
  gaps: Pick<Gaps, 'all' | 'few'>,
  costOf: CostOf,
): Promise<{ gap: number; total: number }> {
  const search = new BoundSearch(gaps.all, costOf)
  await search.cross()
  for (const gap of gaps.few) await search.visit(gaps.all.indexOf(gap))
  await search.refine()
  return search.best()
}

class BoundSearch {
  readonly #gaps: readonly number[]
  readonly #costOf: CostOf
  /** By place. */
  readonly #costs = new Map<number, GapCost>()
  #bestPlace = 0
  #least = Number.POSITIVE_INFINITY
  /** From this place on no gap can be better. */
  #end: number

  constructor(gaps: readonly number[], costOf: CostOf) {
    this.#gaps = gaps
    this.#costOf = costOf
    this.#end = gaps.length
  }

  best(): { gap: number; total: number } {
    return { gap: this.#gaps[this.#bestPlace], total: this.#least }
  }

  /** Finds two adjacent gaps: one drops less than Δ, the other more. */
  async cross(): Promise<void> {
    let [low, high] = [-1, this.#gaps.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      const { share, total } = await this.#cost(middle)
      if (share < total - share) low = middle
      else high = middle
    }
  }

  async visit(place: number): Promise<void> {
    if (place >= 0 && place < this.#end) await this.#cost(place)
  }

  /** Halves the stretches between the best gap and its neighbors among those visited. */
  async refine(): Promise<void> {
    for (let step = 0; step < halvings; step++) {
      const visited = [...this.#costs.keys()].sort((a, b) => a - b)
      const at = visited.indexOf(this.#bestPlace)
      const [below, above] = [visited[at - 1] ?? this.#bestPlace, visited[at + 1] ?? this.#bestPlace]
      for (const middle of [(below + this.#bestPlace) >> 1, (above + this.#bestPlace) >> 1]) await this.visit(middle)
    }
  }

  async #cost(place: number): Promise<GapCost> {
    const known = this.#costs.get(place)
    if (known) return known
    const cost = await this.#costOf(this.#gaps[place], this.#least)
    this.#costs.set(place, cost)
    // Ties go to the larger gap: the simpler model generalizes better.
    if (cost.total < this.#least || (cost.total === this.#least && place > this.#bestPlace)) {
      ;[this.#least, this.#bestPlace] = [cost.total, place]
    }
    if (cost.floor >= this.#least) this.#end = Math.min(this.#end, place)
    return cost
  }
}
