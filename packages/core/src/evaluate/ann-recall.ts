// How many of the true nearest neighbors a search found: the mean over the queries of the share found among its first k.
// By row if neighbors have different distances; by distance if ties make the order arbitrary.

import { EngineError } from '../errors.ts'
import { checkNumbers } from '../matrix/checks.ts'
import { checkNumber, checkObject, checkOptions, checkWhole, optionTable } from '../options.ts'
import { checkCut, checkSameCount } from './checks.ts'

/** Neighbors of `queries` queries: query i's are rows[i * k … i * k + counts[i]), nearest first. */
export interface NeighborRows {
  readonly queries: number
  readonly k: number
  readonly rows: Uint32Array | Int32Array
  readonly counts: Uint32Array
}

/** `NeighborRows` with the distance of each neighbor. */
export interface NeighborDistances extends NeighborRows {
  readonly distances: Float32Array | Float64Array
}

export interface RecallByDistanceOptions {
  /** How much farther than the k-th true neighbor still counts, as a share of its distance. Default 1e-5: rounding. */
  readonly tolerance?: number
}

const recallOptions = optionTable<RecallByDistanceOptions>({
  tolerance: (name, value) => checkNumber(name, value, number => number >= 0, 'a number of at least 0'),
})

/** Recall@k by row. A query with fewer than k true neighbors is measured on those it has; one with none counts as 1. */
export function neighborRecall(found: NeighborRows, truth: NeighborRows, k: number): number {
  checkNeighbors(found, truth, k)
  return meanOver(truth, k, (query, wanted) => {
    const nearest = new Set(listOf(truth, query, wanted))
    return countDifferent(listOf(found, query, k), row => nearest.has(row))
  })
}

/** Recall@k by distance: any result no farther than the k-th true neighbor counts as found. */
export function neighborRecallByDistance(
  found: NeighborDistances,
  truth: NeighborDistances,
  k: number,
  options: RecallByDistanceOptions = {},
): number {
  checkNeighbors(found, truth, k)
  checkDistances('found', found)
  checkDistances('truth', truth)
  checkOptions(options, recallOptions)
  const { tolerance = 1e-5 } = options
  return meanOver(truth, k, (query, wanted) => {
    const farthest = truth.distances[query * truth.k + wanted - 1]
    const limit = farthest + tolerance * Math.abs(farthest)
    const near = (_row: number, place: number) => found.distances[query * found.k + place] <= limit
    return Math.min(wanted, countDifferent(listOf(found, query, k), near))
  })
}

/** The mean over the queries of how many of the `wanted` neighbors were found, as a share. */
function meanOver(truth: NeighborRows, k: number, countFound: (query: number, wanted: number) => number): number {
  let sum = 0
  for (let query = 0; query < truth.queries; query++) {
    const wanted = Math.min(k, truth.counts[query])
    sum += wanted === 0 ? 1 : countFound(query, wanted) / wanted
  }
  return sum / truth.queries
}

/** How many different rows pass; a row listed twice was found once. */
function countDifferent(rows: Uint32Array | Int32Array, passes: (row: number, place: number) => boolean): number {
  const counted = new Set<number>()
  rows.forEach((row, place) => {
    if (passes(row, place)) counted.add(row)
  })
  return counted.size
}

function listOf({ rows, k, counts }: NeighborRows, query: number, most: number): Uint32Array | Int32Array {
  return rows.subarray(query * k, query * k + Math.min(most, counts[query]))
}

function checkNeighbors(found: NeighborRows, truth: NeighborRows, k: number): void {
  checkCut(k)
  checkLists('found', found)
  checkLists('truth', truth)
  checkSameCount('queries', truth.queries, found.queries)
  for (const [name, list] of [
    ['found', found],
    ['true', truth],
  ] as const) {
    if (list.k < k) {
      throw new EngineError(
        'DIMENSION_MISMATCH',
        `recall at ${k} needs ${k} neighbors, but the ${name} lists hold only ${list.k}`,
      )
    }
  }
}

/** Refuses neighbors with a part that has the wrong type or is too short. */
export function checkLists(name: string, list: NeighborRows): void {
  checkObject(name, list, 'neighbors, as returned by searchBatch')
  const { queries, k, rows, counts } = list
  checkWhole(`${name}.queries`, queries, 0, 2 ** 32)
  checkWhole(`${name}.k`, k, 0, 2 ** 32)
  checkNumbers(`${name}.rows`, rows, [Uint32Array, Int32Array])
  checkNumbers(`${name}.counts`, counts, [Uint32Array])
  if (counts.length === queries && rows.length >= queries * k) return
  const given = `${counts.length} counts and ${rows.length} rows`
  throw new EngineError('DIMENSION_MISMATCH', `${name}: ${queries} lists of up to ${k} rows do not fit ${given}`)
}

function checkDistances(name: string, { distances, rows }: NeighborDistances): void {
  checkNumbers(`${name}.distances`, distances, [Float32Array, Float64Array])
  if (distances.length === rows.length) return
  throw new EngineError('DIMENSION_MISMATCH', `${name} has ${distances.length} distances for ${rows.length} rows`)
}
