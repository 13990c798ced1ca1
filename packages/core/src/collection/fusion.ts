// Fuses the rankings by words and by vectors into one. By ranks (reciprocal rank fusion, Cormack and others 2009), or by scores: how far
// a score is above the floor of its ranking, in standard deviations. So a ranking counts for much where it tells its best rows apart
// from the others. A row that is not in a ranking gets 0 from it.
// Invariant: a row's score depends only on the first `measured` rows of each ranking, and on its own. Longer rankings, for later pages,
// do not change it.

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
  /** The score of all rows that are not in a short ranking. Default: that of its last row. */
  readonly missing?: number
}

export interface Fused {
  readonly row: number
  readonly score: number
}

/** The constant of the paper: how little the first ranks differ. */
const rankConstant = 60
/** Rows of each ranking that say how its scores are spread. */
export const measured = 100

/** Best first, ties by the better place, then by row. */
export function fuse(how: FusionName, rankings: readonly Ranking[], weights: readonly number[]): Fused[] {
  const fused = new Map<number, { row: number; score: number; place: number }>()
  const union = new Set(rankings.flatMap(({ rows }) => Array.from(rows).slice(0, measured)))
  rankings.forEach((ranking, i) => {
    const parts = how === 'ranks' ? rankParts(ranking) : scoreParts(ranking, union)
    for (let place = 0; place < ranking.rows.length; place++) {
      const row = ranking.rows[place]
      const part = weights[i] * parts[place]
      const known = fused.get(row)
      fused.set(row, { row, score: (known?.score ?? 0) + part, place: Math.min(known?.place ?? place, place) })
    }
  })
  const best = [...fused.values()].sort((a, b) => b.score - a.score || a.place - b.place || a.row - b.row)
  return best.map(({ row, score }) => ({ row, score }))
}

function rankParts({ rows }: Ranking): number[] {
  return Array.from(rows, (_, place) => 1 / (rankConstant + place + 1))
}

/** At least 0; 1 for all if the rows of `union` have the same score. */
function scoreParts({ rows, scores, missing }: Ranking, union: ReadonlySet<number>): number[] {
  if (rows.length === 0) return []
  const first = Math.min(rows.length, measured)
  const last = scores[first - 1]
  const floor = first < measured ? (missing ?? last) : last
  const above = Array.from(scores, score => Math.max(0, score - floor))
  const spread = standardDeviation(above.slice(0, first), union.size)
  // Equal scores may have a tiny spread, because sums are rounded.
  return above.map(height => (spread <= 1e-9 * above[0] ? 1 : height / spread))
}

/** Of the values and as many zeros as make `count` of them. */
function standardDeviation(values: readonly number[], count: number): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) + (count - values.length) * mean ** 2
  return Math.sqrt(squares / count)
}
