import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { placed, sparse } from '../memory.cases.ts'
import { modelPlace } from '../memory-state.ts'
import { type RewardedPair, Scorer } from './scorer.ts'

const engine = new Engine()
const place = modelPlace(engine)
afterAll(() => engine.close())

/** What the scorer makes of features whose products are `entries`. */
function weighed(scorer: Scorer, entries: Readonly<Record<number, number>>): number {
  const key = placed(engine, sparse(entries))
  const out = engine.arena.allocate(Float32Array, key.count)
  scorer.weigh(key, out.pointer)
  return out.array.reduce((sum, value) => sum + value, 0)
}

/** A pair that shares these products, and nothing else is known of it. */
function pair(
  entries: Readonly<Record<number, number>>,
  sum: number,
  others: Partial<RewardedPair> = {},
): RewardedPair {
  const none = placed(engine, sparse({}))
  const plain = { sum, plainSum: sum, support: 0, pivot: 1, crossed: none, crossedLength: 1 }
  return { ...plain, shared: placed(engine, sparse(entries)), ...others }
}

const similar = (scorer: Scorer, sum: number) => scorer.score(scorer.logit({ sum, support: 0, opinion: 0 }))

describe('the scorer', () => {
  it('starts with 0.95 for a cosine of 1, one half for 0.5 and 0.05 for 0', () => {
    const scorer = new Scorer(place)
    expect([1, 0.5, 0].map(cosine => Math.round(100 * similar(scorer, cosine)) / 100)).toEqual([0.95, 0.5, 0.05])
    expect(scorer.calibration).toMatchObject({ slope: 6, intercept: -3, supportWeight: 0, lead: 0, rewards: 0 })
  })

  it('starts with the cosine: no feature weighs more than another', () => {
    expect(weighed(new Scorer(place), { 1: 0.5, 9: 0.25 })).toBe(0.75)
  })

  it('steps the calibration against the gradient of the log loss', () => {
    const scorer = new Scorer(place)
    scorer.learn(pair({ 1: 0.5 }, 0.5), 1)
    // The score was 0.5, so the gradient is −0.5: 6 + 0.02 · 0.5 · 0.5 and −3 + 0.02 · 0.5.
    expect(scorer.calibration.slope).toBeCloseTo(6.005, 12)
    expect(scorer.calibration.intercept).toBeCloseTo(-2.99, 12)
    expect(scorer.calibration.rewards).toBe(1)
  })

  it('weighs a feature more that was rewarded, less one that was not, others as before', () => {
    const scorer = new Scorer(place)
    scorer.learn(pair({ 1: 0.5 }, 0.5), 1)
    scorer.learn(pair({ 2: 0.5 }, 0.5), 0)
    expect(weighed(scorer, { 1: 1 })).toBeCloseTo(1.05, 6)
    expect(weighed(scorer, { 2: 1 })).toBeCloseTo(0.95, 6)
    expect(weighed(scorer, { 3: 1 })).toBe(1)
    // Third in a table is the bias: the intercept is in its place.
    expect(scorer.models.weights.words()[2]).toBe(0)
  })

  it('comes to the rewards it is given, whichever they are', () => {
    const scorer = new Scorer(place)
    const expected = (feature: number) => similar(scorer, weighed(scorer, { [feature]: 0.5 }))
    expect([expected(1), expected(2)]).toEqual([0.5, 0.5])
    for (let i = 0; i < 1000; i++) {
      scorer.learn(pair({ 1: 0.5 }, weighed(scorer, { 1: 0.5 }), { plainSum: 0.5 }), 0.9)
      scorer.learn(pair({ 2: 0.5 }, weighed(scorer, { 2: 0.5 }), { plainSum: 0.5 }), 0.2)
    }
    expect(expected(1)).toBeCloseTo(0.9, 1)
    expect(expected(2)).toBeCloseTo(0.2, 1)
    expect(scorer.calibration.rewards).toBe(2000)
  })

  it('never promises less to the more similar', () => {
    const scorer = new Scorer(place)
    for (let i = 0; i < 5000; i++) {
      scorer.learn(pair({}, 1), 0)
      scorer.learn(pair({}, 0), 1)
    }
    expect(scorer.calibration.slope).toBe(0.5)
    expect(similar(scorer, 1)).toBeGreaterThan(similar(scorer, 0))
  })

  it('learns how much support counts, from nothing and never below it', () => {
    const [telling, misleading] = [new Scorer(place), new Scorer(place)]
    for (let i = 0; i < 500; i++) {
      telling.learn(pair({}, 0.5, { support: 0.5 }), 1)
      telling.learn(pair({}, 0.5), 0)
      misleading.learn(pair({}, 0.5, { support: 0.5 }), 0)
      misleading.learn(pair({}, 0.5), 1)
    }
    expect(telling.calibration.supportWeight).toBeGreaterThan(2)
    expect(misleading.calibration.supportWeight).toBe(0)
    expect(telling.logit({ sum: 0.5, support: 0.5, opinion: 0 })).toBeGreaterThan(
      telling.logit({ sum: 0.6, support: 0, opinion: 0 }),
    )
  })

  it('learns which features speak for a value, in steps that do not grow with their number', () => {
    const [few, many] = [{ 1: 0.6, 2: 0.8 }, Object.fromEntries(Array.from({ length: 100 }, (_, i) => [i, 0.1]))]
    const opinions = [few, many].map(entries => {
      const scorer = new Scorer(place)
      const crossed = placed(engine, sparse(entries))
      const crossedLength = Object.values(entries).reduce((sum, value) => sum + value, 0)
      scorer.learn(pair({}, 0.5, { crossed, crossedLength }), 1)
      return scorer.opinion(crossed)
    })
    // 0.8 · 0.3 / √(0.02 + 0.3²) for a product of 0.3, less for smaller ones.
    expect(opinions[0]).toBeCloseTo(0.74, 2)
    expect(opinions[1]).toBeLessThan(0.8)
    expect(opinions[1]).toBeGreaterThan(0.2)
  })

  it('goes back to plain similarity where what it learned predicts worse, and comes back when it predicts better', () => {
    const scorer = new Scorer(place)
    const topics = Array.from({ length: 20 }, (_, topic) => placed(engine, sparse({ [topic]: 1 })))
    const teach = (rewardOf: (i: number, topic: number) => number, rounds: number) => {
      for (let i = 0; i < rounds; i++) {
        topics.forEach((crossed, topic) => {
          scorer.learn(pair({}, 0.5, { crossed }), rewardOf(i, topic))
        })
      }
    }
    // What was just rewarded is not rewarded the next time.
    teach(i => i % 2, 6)
    expect(scorer.isTrusted).toBe(false)
    expect(scorer.logit({ sum: 0.5, support: 1, opinion: 99 })).toBe(scorer.logit({ sum: 0.5, support: 0, opinion: 0 }))
    teach((_, topic) => topic % 2, 20)
    expect(scorer.isTrusted).toBe(true)
    expect(scorer.opinion(topics[1])).toBeGreaterThan(scorer.opinion(topics[0]))
  })

  it('stays finite where products are too small for their squares', () => {
    const scorer = new Scorer(place)
    scorer.learn(pair({ 1: 1e-24, 2: 0.5 }, 0.5), 1)
    expect(weighed(scorer, { 1: 1 })).toBe(1)
    expect(weighed(scorer, { 2: 1 })).toBeCloseTo(1.05, 6)
  })
})
