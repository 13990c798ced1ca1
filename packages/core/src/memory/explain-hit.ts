// Why a memory was a hit: the words or features that query and key share, what near memories and rewards say, each with its part of the
// scorer's log odds.

import { liveSlot } from './live-memories.ts'
import { type MemoryKey, textOf, vectorFeatures } from './memory-key.ts'
import type { Rewarded } from './memory-query.ts'
import type { MemoryState } from './memory-state.ts'
import type { Scored } from './retrieval/rescore.ts'
import type { Retrieval } from './retrieval/retrieval.ts'
import { supportOf } from './retrieval/search-memories.ts'

/** A feature that query and memory share. */
export interface SharedFeature {
  /** The word, if keys have texts; otherwise the number of the feature. Numbers of a vector that comes with a text are counted from 0. */
  readonly feature: string | number
  /** How much it adds to the log odds. */
  readonly part: number
  /** How much of the part was learned from rewards. */
  readonly learned: number
}

/** What rewards have taught about a feature of the query and the memory's value. */
export type FeatureOpinion = Omit<SharedFeature, 'learned'>

/** Why a memory was a hit. Its parts add up to log odds: base + all parts of `shared` + support + all parts of `opinions`. */
export interface HitExplanation {
  /** The expected reward, as of now: 1 / (1 + e^−logOdds). */
  readonly score: number
  readonly logOdds: number
  /** The log odds of a memory that shares nothing with the query. */
  readonly base: number
  /** The cosine of the two keys, from −1 to 1. */
  readonly similarity: number
  /** What query and memory share, largest part first. */
  readonly shared: readonly SharedFeature[]
  /** What near memories with the same value add. */
  readonly support: number
  /** What rewards say about this value and the query's features, shared or not; largest part first. */
  readonly opinions: readonly FeatureOpinion[]
  /** What rewards have added to the parts of `shared`, and all of `support` and `opinions`. */
  readonly learned: number
  /** The memory's own rewards so far, and their mean. */
  readonly rewards: number
  readonly reward: number | null
  /** Milliseconds since the memory was inserted. */
  readonly ageMs: number
}

export function explainHit(state: MemoryState, retrieval: Retrieval, hit: Rewarded): HitExplanation {
  const slot = liveSlot(state, hit.id)
  const support = supportOf(state, retrieval, hit, slot)
  const { reward, rewards } = retrieval.factsOf(slot)
  const ageMs = state.now() - state.table.at(slot).createdAt
  return { ...explainScore(state, retrieval, hit.query.key, { slot, support }), rewards, reward, ageMs }
}

/** The parts of a memory's log odds. */
function explainScore(
  { reader, scorer }: MemoryState,
  retrieval: Retrieval,
  key: MemoryKey,
  { slot, support: share }: Pick<Scored, 'slot' | 'support'>,
): Omit<HitExplanation, 'rewards' | 'reward' | 'ageMs'> {
  const { intercept: base, supportWeight } = scorer.factors
  const row = reader.read(key)
  const logOdds = retrieval.logitOf(row, { slot, support: share })
  const { cosine, ...parts } = retrieval.partsOf(row, slot)
  const heard = share !== null && scorer.hasOpinions ? parts.opinions : []
  const text = textOf(key)
  const words = text === undefined ? undefined : reader.wordsOf(text)
  const named = <Part extends FeatureOpinion>(list: readonly Part[]): Part[] =>
    list
      .map(part => ({
        ...part,
        feature: words ? (words.get(Number(part.feature)) ?? numberOf(Number(part.feature))) : part.feature,
      }))
      .sort((a, b) => b.part - a.part)
  const [shared, opinions] = [named<SharedFeature>(parts.shared), named<FeatureOpinion>(heard)]
  const support = supportWeight * (share ?? 0)
  const learned = total(shared.map(({ learned }) => learned)) + support + total(opinions.map(({ part }) => part))
  return { score: scorer.score(logOdds), logOdds, base, similarity: cosine, shared, support, opinions, learned }
}

/** As callers count: features of a vector beside a text have large numbers inside. */
function numberOf(feature: number): number {
  return feature < vectorFeatures ? feature : feature - vectorFeatures
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
