// Tries walks along links on held-out rows: from few trees and from more, keeping few rows and more, until one more does not pay.

import type { Effort } from '../block.ts'
import { frontOf } from '../efforts.ts'
import type { EffortTrials, Measured, TrialForest } from '../trials/effort-trials.ts'

export interface WalkQuestion {
  readonly trials: EffortTrials
  readonly forest: TrialForest
  readonly trees: number
  readonly k: number
  readonly targetRecall: number
  /** Walks that cost more are not tried: comparing all rows would be cheaper. */
  readonly mostMicros: number
  onTried?(share: number): void
}

/** Rows kept, as multiples of k; and how many of them are compared. */
const keptFactors = [1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]
const comparedShares = [0.25, 0.35, 0.5, 0.7]
/** Where walks start: a share of the trees, with this many probes of each. */
const startingPoints = [
  { share: 0.5, probes: 0 },
  { share: 1, probes: 2 },
]
/** Beyond this recall, and the target, nothing more is worth trying. */
const enoughRecall = 0.99

/** All that was tried. */
export async function tryWalks(question: WalkQuestion): Promise<Measured[]> {
  const { trials, forest, trees, k, targetRecall, mostMicros, onTried } = question
  const enough = Math.max(enoughRecall, targetRecall)
  const tried: Measured[] = []
  const starts = startsOf(trees)
  for (const [done, start] of starts.entries()) {
    onTried?.(done / (starts.length + 1))
    for (const factor of keptFactors) {
      const walk = Math.ceil(factor * k)
      const one = await trials.measure(forest, { ...start, walk, rerank: walk }, k)
      tried.push(one)
      if (one.recall - one.error >= enough || one.cost > mostMicros) break
    }
  }
  onTried?.(starts.length / (starts.length + 1))
  for (const { effort } of frontOf(tried)) {
    for (const rerank of fewerCompared(effort, k)) tried.push(await trials.measure(forest, { ...effort, rerank }, k))
  }
  return tried
}

/** Efforts that do not walk yet. */
function startsOf(trees: number): Effort[] {
  return startingPoints.map(({ share, probes }) => {
    const asked = Math.max(1, Math.round(share * trees))
    return { trees: asked, threshold: 0, probes: probes * asked, rerank: 0, walk: 0, exact: false }
  })
}

function fewerCompared({ walk }: Effort, k: number): number[] {
  const counts = comparedShares.map(share => Math.max(k, Math.ceil(share * walk)))
  return [...new Set(counts)].filter(rerank => rerank < walk)
}

/** A walk that keeps a larger share of the rows costs more than comparing all of them, and takes minutes to find that out. */
const mostKept = 1 / 4

/** Walks for `k` neighbors that start as this one, ascending in what they keep. */
export function longerWalks(effort: Effort, k: number, rows: number): Effort[] {
  const walks = keptFactors.map(factor => Math.ceil(factor * k)).filter(walk => walk <= mostKept * rows)
  return walks.map(walk => ({ ...effort, walk }))
}
