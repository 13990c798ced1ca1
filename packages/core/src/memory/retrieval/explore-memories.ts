// A query that explores (lines 6 to 13 of QUERY): the memories of a leaf that was drawn, so that their reward can teach the routers. Where
// there are no trees, or fewer than k pass there, what an ordinary query would give follows.

import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import type { Random } from '../../random.ts'
import type { Exploration, QuerySettings } from '../memory-query.ts'
import type { MemoryState } from '../memory-state.ts'
import { Passing } from './passing.ts'
import { rescored, type Scored } from './rescore.ts'
import { explore, type Retrieval } from './retrieval.ts'
import { searchMemories } from './search-memories.ts'

/** How many of the best memories to draw from, if there is no leaf to draw from. */
const drawn = 8

/** Memories as they are to be shown, and where the query left its path. */
export interface ExploredMemories {
  readonly ranked: readonly Scored[]
  readonly explored?: Exploration
}

export function exploreMemories(
  state: MemoryState,
  retrieval: Retrieval,
  row: SparseRow,
  settings: QuerySettings,
  random: Random,
): ExploredMemories {
  const { trees, table, scorer } = state
  const { k, minScore } = settings
  if (trees.length === 0) return { ranked: shuffledBest(state, retrieval, row, settings, random) }
  const tree = random.below(trees.length)
  const { explored, leaf } = explore(trees[tree], retrieval.lay(row), random)
  const passing = new Passing(table, { ...settings, now: state.now() }, slot => retrieval.valueOf(slot))
  const own = retrieval.ranked(row, leaf.memories).filter(({ slot }) => passing.has(slot))
  const seen = rescored(state, retrieval, row, own).filter(({ logit }) => scorer.score(logit) >= minScore)
  // Of a leaf memories are drawn, of all of them.
  if (explored.side === 'leaf') random.shuffle(seen)
  const most = k === 'all' ? seen.length : k
  const isShort = seen.length < most || seen.length === 0
  const others = isShort ? searchMemories(state, retrieval, row, { ...settings, now: state.now() }) : []
  const slots = new Set(seen.map(({ slot }) => slot))
  return { ranked: [...seen, ...others.filter(({ slot }) => !slots.has(slot))], explored: { tree, ...explored } }
}

function shuffledBest(
  state: MemoryState,
  retrieval: Retrieval,
  row: SparseRow,
  settings: QuerySettings,
  random: Random,
): Scored[] {
  const k = settings.k === 'all' ? 'all' : Math.max(settings.k, drawn)
  const best = searchMemories(state, retrieval, row, { ...settings, k, now: state.now() })
  return [...random.shuffle(best.slice(0, drawn)), ...best.slice(drawn)]
}
