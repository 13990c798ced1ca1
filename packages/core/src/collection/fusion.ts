// Fuses the rankings by words and by vectors into one. By ranks (reciprocal rank fusion, Cormack and others 2009), or by
// scores that are scaled to [0, 1] within each list. A document missing from a list gets 0 from it.

/** How two rankings are fused. */
export type FusionName = 'ranks' | 'scores'
export const fusionNames: readonly FusionName[] = ['ranks', 'scores']

/** The weight of each ranking. */
export interface FusionWeights {
  readonly text?: number
  readonly vector?: number
}

/** Rows and their scores, best first: larger is better. */
export interface Ranking {
  readonly rows: ArrayLike<number>
  readonly scores: ArrayLike<number>
}

export interface Fused {
  readonly row: number
  readonly score: number
}

/** The constant of the paper: how little the first ranks differ. */
const rankConstant = 60

/** Best first, ties by row. */
export function fuse(how: FusionName, rankings: readonly Ranking[], weights: readonly number[]): Fused[] {
  const scores = new Map<number, number>()
  rankings.forEach((ranking, i) => {
    const parts = how === 'ranks' ? rankParts(ranking) : scaledScores(ranking)
    for (let place = 0; place < ranking.rows.length; place++) {
      const row = ranking.rows[place]
      scores.set(row, (scores.get(row) ?? 0) + weights[i] * parts[place])
    }
  })
  return Array.from(scores, ([row, score]) => ({ row, score })).sort((a, b) => b.score - a.score || a.row - b.row)
}

function rankParts({ rows }: Ranking): number[] {
  return Array.from(rows, (_, place) => 1 / (rankConstant + place + 1))
}

/** From 1 for the best to 0 for the worst; 1 for all if they are equal. */
function scaledScores({ scores }: Ranking): number[] {
  const [best, worst] = [scores[0], scores[scores.length - 1]]
  return Array.from(scores, score => (best === worst ? 1 : (score - worst) / (best - worst)))
}
