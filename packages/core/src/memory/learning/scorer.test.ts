import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { placed, sparse } from '../memory.cases.ts'
import { modelPlace } from '../memory-state.ts'
import { Scorer } from './scorer.ts'

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

describe('the scorer', () => {
  it('starts with 0.95 for a cosine of 1, one half for 0.5 and 0.05 for 0', () => {
    const scorer = new Scorer(place)
    expect([1, 0.5, 0].map(cosine => Math.round(100 * scorer.score(cosine)) / 100)).toEqual([0.95, 0.5, 0.05])
    expect(scorer.calibration).toEqual({ slope: 6, intercept: -3, rewards: 0 })
  })

  it('starts with the cosine: no feature weighs more than another', () => {
    expect(weighed(new Scorer(place), { 1: 0.5, 9: 0.25 })).toBe(0.75)
  })

  it('steps the calibration against the gradient of the log loss', () => {
    const scorer = new Scorer(place)
    scorer.learn(placed(engine, sparse({ 1: 0.5 })), 0.5, 1)
    // The score was 0.5, so the gradient is −0.5: 6 + 0.02 · 0.5 · 0.5 and −3 + 0.02 · 0.5.
    expect(scorer.calibration.slope).toBeCloseTo(6.005, 12)
    expect(scorer.calibration.intercept).toBeCloseTo(-2.99, 12)
    expect(scorer.calibration.rewards).toBe(1)
  })

  it('weighs a feature more that was rewarded, less one that was not, others as before', () => {
    const scorer = new Scorer(place)
    scorer.learn(placed(engine, sparse({ 1: 0.5 })), 0.5, 1)
    scorer.learn(placed(engine, sparse({ 2: 0.5 })), 0.5, 0)
    expect(weighed(scorer, { 1: 1 })).toBeCloseTo(1.1, 6)
    expect(weighed(scorer, { 2: 1 })).toBeCloseTo(0.9, 6)
    expect(weighed(scorer, { 3: 1 })).toBe(1)
    // Third in a table is the bias: the intercept is in its place.
    expect(scorer.words()[2]).toBe(0)
  })

  it('comes to the rewards it is given, whichever they are', () => {
    const scorer = new Scorer(place)
    const [good, bad] = [placed(engine, sparse({ 1: 0.5 })), placed(engine, sparse({ 2: 0.5 }))]
    const before = [scorer.score(weighed(scorer, { 1: 0.5 })), scorer.score(weighed(scorer, { 2: 0.5 }))]
    expect(before).toEqual([0.5, 0.5])
    for (let i = 0; i < 300; i++) {
      scorer.learn(good, weighed(scorer, { 1: 0.5 }), 0.9)
      scorer.learn(bad, weighed(scorer, { 2: 0.5 }), 0.2)
    }
    expect(scorer.score(weighed(scorer, { 1: 0.5 }))).toBeCloseTo(0.9, 1)
    expect(scorer.score(weighed(scorer, { 2: 0.5 }))).toBeCloseTo(0.2, 1)
    expect(scorer.calibration.rewards).toBe(600)
  })

  it('never promises less to the more similar', () => {
    const scorer = new Scorer(place)
    const none = placed(engine, sparse({}))
    for (let i = 0; i < 5000; i++) {
      scorer.learn(none, 1, 0)
      scorer.learn(none, 0, 1)
    }
    expect(scorer.calibration.slope).toBe(0.5)
    expect(scorer.score(1)).toBeGreaterThan(scorer.score(0))
  })

  it('stays finite where products are too small for their squares', () => {
    const scorer = new Scorer(place)
    scorer.learn(placed(engine, sparse({ 1: 1e-24, 2: 0.5 })), 0.5, 1)
    expect(weighed(scorer, { 1: 1 })).toBe(1)
    expect(weighed(scorer, { 2: 1 })).toBeCloseTo(1.1, 6)
  })
})
