// Gaps as they are tried: for each, computes once what it drops and the bound for the rest.

import type { LongWork } from '../../../long-work.ts'
import type { MetricItem } from '../../../nets/metrics/named-metrics.ts'
import type { Net } from '../../../nets/net.ts'
import { type BoundFacts, fatBound } from '../bounds.ts'
import type { MarginData } from '../data.ts'
import { type Proof, prove } from '../proof.ts'
import type { Coverer } from './cover.ts'
import type { GapCost, TriedGap } from './selection.ts'
import type { GapError } from './validation.ts'

export class GapTrials {
  readonly data: MarginData
  readonly net: Net<MetricItem>
  readonly coverer: Coverer<MetricItem>
  readonly work: LongWork
  /** All items are within the root's radius of it, so twice that is no less than the diameter. */
  readonly diameter: number
  readonly #dropped = new Map<number, Uint8Array>()
  readonly #proofs = new Map<number, Proof>()

  constructor(data: MarginData, net: Net<MetricItem>, coverer: Coverer<MetricItem>, work: LongWork) {
    this.data = data
    this.net = net
    this.coverer = coverer
    this.work = work
    this.diameter = 2 * (net.root?.radius ?? 0)
  }

  async droppedAt(gap: number): Promise<Uint8Array> {
    const dropped = this.#dropped.get(gap) ?? (await this.coverer.cover(gap))
    this.#dropped.set(gap, dropped)
    return dropped
  }

  /** Undefined if no bound is below `target`. */
  async proofAt(gap: number, target: number): Promise<Proof | undefined> {
    const dropped = await this.droppedAt(gap)
    const proof = this.#proofs.get(gap) ?? (await prove(this.data, gap, dropped, this.diameter, target, this.work))
    if (proof) this.#proofs.set(gap, proof)
    return proof
  }

  async costOf(gap: number, target: number): Promise<GapCost> {
    const share = countDropped(await this.droppedAt(gap)) / this.data.labeled.length
    const proof = await this.proofAt(gap, Math.min(1, Math.max(target, 2 * share)))
    // However cleverly rows are chosen, larger gaps drop at least half of what is dropped here; moved rows may err on fewer.
    return { share, total: proof?.total ?? 1, floor: this.data.settings.perturb > 0 ? 0 : share / 2 }
  }

  /** All gaps that were tried, ascending. */
  async tried(errors: readonly GapError[], factsFor: (gap: number) => BoundFacts): Promise<TriedGap[]> {
    for (const { gap } of errors) await this.droppedAt(gap)
    const inOrder = [...this.#dropped].sort(([a], [b]) => a - b)
    return inOrder.map(([gap, dropped]) => {
      const [bound, error] = [this.#proofs.get(gap)?.total, errors.find(one => one.gap === gap)?.error]
      const fat = gap === 0 ? Number.MAX_VALUE : fatBound(factsFor(gap))
      const known = { ...(bound !== undefined && { bound }), ...(error !== undefined && { error }) }
      return { gap, dropped: countDropped(dropped), fatBound: fat, ...known }
    })
  }
}

export function countDropped(dropped: Uint8Array): number {
  return dropped.reduce((sum, drop) => sum + drop, 0)
}
