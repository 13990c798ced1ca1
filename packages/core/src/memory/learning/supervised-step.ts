// A supervised step: the reward of every memory is known. All rewards are asked for first; then the routers and the scorer learn from them.

import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import type { Random } from '../../random.ts'
import type { MemoryState } from '../memory-state.ts'
import { Passing, type QueryScope } from '../retrieval/passing.ts'
import type { Scored } from '../retrieval/rescore.ts'
import { type Explored, explore, type Retrieval } from '../retrieval/retrieval.ts'
import { searchMemories } from '../retrieval/search-memories.ts'
import { isLeaf } from '../tree/tree-node.ts'

/** Tells the reward of the memory in a slot. */
type RewardOf = (slot: number) => number

interface Judged extends Pick<Scored, 'slot' | 'support'> {
  readonly reward: number
}

export interface SupervisedStep {
  /** For each tree: the node that was explored, and the reward of the best memory there. */
  readonly sides: readonly (Explored & { readonly reward: number })[]
  /** The best memories on the paths, best first. */
  readonly best: readonly Judged[]
}

/** How many of the best memories teach the scorer. */
const taught = 5

/** A QUERY that always explores, in each tree. Nothing learns yet. Memories outside `scope` are skipped. */
export function askRewards(
  state: MemoryState,
  retrieval: Retrieval,
  row: SparseRow,
  { random, rewardOf, scope }: { random: Random; rewardOf: RewardOf; scope: QueryScope },
): SupervisedStep {
  const { trees, table } = state
  const passing = new Passing(table, scope, slot => retrieval.valueOf(slot))
  const explorations = trees.map(tree => explore(tree, retrieval.lay(row), random))
  const sides = explorations.map(({ explored, leaf }) => {
    const others = explored.side === 'leaf' ? [] : leaf.memories.filter(slot => passing.has(slot))
    const [best] = retrieval.ranked(row, others, 1)
    return { explored, leaf, reward: best ? rewardOf(best.slot) : 0 }
  })
  const best = searchMemories(state, retrieval, row, { k: taught, probes: 0, minScore: 0, isExact: true, ...scope })
  return { sides, best: best.map(({ slot, support }) => ({ slot, support, reward: rewardOf(slot) })) }
}

/** UPDATE of the routers at the nodes that were explored, and of the scorer. */
export function learnFromRewards(
  { trees }: MemoryState,
  retrieval: Retrieval,
  row: SparseRow,
  { sides, best }: SupervisedStep,
): void {
  const key = retrieval.lay(row)
  sides.forEach(({ explored: { node: number, side }, reward }, i) => {
    const node = trees[i].nodeOf(number)
    if (side !== 'leaf' && node && !isLeaf(node)) trees[i].rewardSide(node, key, side, reward)
  })
  for (const { slot, support, reward } of best) retrieval.teach(row, { slot, support }, reward)
}
