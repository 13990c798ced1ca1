import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { memoryKernels } from '../../kernels/sets/memory.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { placed, sparse } from '../memory.cases.ts'
import { modelPlace } from '../memory-state.ts'
import { LinearModel } from './linear-model.ts'
import { tableWords } from './table-pool.ts'

const engine = new Engine()
const place = modelPlace(engine)
afterAll(() => engine.close())

const { fround } = Math

/** The readable version of the kernels: a map of weights, each with the sum of its squared gradients, in steps of 32 bits. */
class PlainModel {
  readonly weights = new Map<number, { weight: number; squares: number }>()
  readonly bias = { weight: 0, squares: 0 }

  of(feature: number): { weight: number; squares: number } {
    return this.weights.get(feature) ?? { weight: 0, squares: 0 }
  }

  sum({ indices, values }: SparseRow): number {
    return indices.reduce((sum, feature, e) => sum + this.of(feature).weight * values[e], this.bias.weight)
  }

  weigh({ indices, values }: SparseRow): number[] {
    return Array.from(values, (value, e) => fround(value * (1 + this.of(indices[e]).weight)))
  }

  step({ indices, values }: SparseRow, gradient: number, rate: number, biased: boolean): void {
    indices.forEach((feature, e) => {
      const own = this.of(feature)
      this.weights.set(feature, own)
      move(own, gradient * values[e], rate)
    })
    if (biased) move(this.bias, gradient, rate)
  }
}

function move(own: { weight: number; squares: number }, gradient: number, rate: number): void {
  own.squares = fround(own.squares + fround(gradient * gradient))
  if (own.squares > 0) own.weight = fround(own.weight - fround((rate * gradient) / Math.sqrt(own.squares)))
}

const value = fc.float({ min: fround(-1), max: 1, noNaN: true })
// Few features, so that they meet again; some that share a home in small tables; the highest one that a key may have.
const feature = fc.oneof(
  fc.nat(40),
  fc.nat(40).map(n => n * 2 ** 20),
  fc.constant(2 ** 32 - 3),
)
const row = fc.uniqueArray(fc.tuple(feature, value), { selector: ([index]) => index, maxLength: 12 }).map(pairs => {
  const sorted = pairs.sort(([a], [b]) => a - b)
  return {
    indices: Uint32Array.from(sorted, ([index]) => index),
    values: Float32Array.from(sorted, ([, number]) => number),
  }
})
const step = fc.record({
  row,
  gradient: fc.double({ min: -4, max: 4, noNaN: true }),
  rate: fc.constantFrom(0.1, 0.5, 100),
  biased: fc.boolean(),
})

describe('a linear model', () => {
  it('agrees with the plain one to the bit, whatever its steps, while its table grows', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), row, (steps, asked) => {
        const plain = new PlainModel()
        const model = new LinearModel(place, 1)
        const key = placed(engine, asked)
        const out = engine.arena.allocate(Float32Array, asked.indices.length + 1)
        for (const { row, gradient, rate, biased } of steps) {
          plain.step(row, gradient, rate, biased)
          model.step(placed(engine, row), gradient, rate, { biased })
          expect(model.sum(key)).toBe(plain.sum(asked))
        }
        model.weigh(key, out.pointer)
        expect(Array.from(out.array)).toEqual([...plain.weigh(asked), 0])
        model.free()
      }),
    )
  })

  it('knows nothing at first', () => {
    const model = new LinearModel(place, 3)
    expect(model.sum(placed(engine, sparse({ 0: 1, 5: 2 })))).toBe(0)
    expect(Array.from(model.words().subarray(0, 4))).toEqual([3, 0, 0, 0])
    model.free()
  })

  it('takes a first step of the size of the rate, whatever the gradient is', () => {
    for (const gradient of [0.001, 1, 50]) {
      const model = new LinearModel(place, 3)
      model.step(placed(engine, sparse({ 5: 0.5 })), gradient, 0.25)
      // The weight is −0.25 and so is the bias: −0.25 · 1 − 0.25.
      expect(model.sum(placed(engine, sparse({ 5: 1 })))).toBeCloseTo(-0.5, 6)
      expect(model.sum(placed(engine, sparse({ 6: 1 })))).toBeCloseTo(-0.25, 6)
      model.free()
    }
  })

  it('stays finite after a step so small that its square is 0 in 32 bits', () => {
    const tiny = sparse({ 1: 1e-30, 2: 1 })
    const model = new LinearModel(place, 3)
    model.step(placed(engine, tiny), 0.5, 0.5, { biased: false })
    expect(model.sum(placed(engine, sparse({ 1: 1 })))).toBe(0)
    expect(model.sum(placed(engine, sparse({ 2: 1 })))).toBe(-0.5)
    model.step(placed(engine, sparse({ 9: 1 })), 0, 0.5)
    expect(model.sum(placed(engine, sparse({ 9: 1 })))).toBe(0)
    model.free()
  })

  it('doubles when three quarters might be used, and is found whole by its words', () => {
    const model = new LinearModel(place, 2)
    for (let feature = 0; feature < 7; feature++) model.step(placed(engine, sparse({ [feature]: 1 })), -1, 1)
    const words = model.words().slice()
    expect([words[0], words[1], words.length]).toEqual([4, 7, tableWords(4)])
    const again = LinearModel.fromWords(place, words)
    for (let feature = 0; feature < 9; feature++) {
      const key = placed(engine, sparse({ [feature]: 2 }))
      expect(again?.sum(key)).toBe(model.sum(key))
      model.step(key, 0.25, 0.5)
      again?.step(key, 0.25, 0.5)
    }
    expect(again?.words()).toEqual(model.words())
    model.free()
    again?.free()
  })

  it('found by its words has room for what its first step brings', () => {
    const model = new LinearModel(place, 3)
    model.step(placed(engine, sparse({ 1: 1, 2: 1, 3: 1, 4: 1 })), -1, 1)
    const again = LinearModel.fromWords(place, model.words().slice())
    again?.step(placed(engine, sparse({ 5: 1, 6: 1, 7: 1 })), -1, 1)
    // Seven of eight slots would be more than three quarters.
    expect([...(again?.words().subarray(0, 2) ?? [])]).toEqual([4, 7])
    model.free()
    again?.free()
  })

  describe('of words that are no table', () => {
    const model = new LinearModel(place, 2)
    model.step(placed(engine, sparse({ 3: 1, 4: 1 })), -1, 1)
    const good = model.words().slice()
    const slot = (good.indexOf(3, 4) - 4) / 3
    const nan = 0x7fc00000

    it('is taken where nothing is wrong', () => {
      expect(LinearModel.fromWords(place, good)?.sum(placed(engine, sparse({ 3: 1 })))).toBe(2)
    })

    it.each([
      ['no words', new Uint32Array(0)],
      ['bits of 0', good.with(0, 0)],
      ['bits of another table', good.with(0, 3)],
      ['bits beyond all', good.with(0, 29)],
      ['a word too few', good.slice(0, -1)],
      ['a word too many', Uint32Array.of(...good, 0)],
      ['more used slots than are allowed', good.with(1, 4)],
      ['fewer used slots than there are', good.with(1, 1)],
      [
        'no empty slot, where a search for one would never end',
        good.map((word, at) => (at < 4 || at % 3 !== 1 ? word : at)),
      ],
      ['a bias that is no number', good.with(2, nan)],
      ['a weight that is no number', good.with(4 + 3 * slot + 1, nan)],
      ['squares that are no number', good.with(4 + 3 * slot + 2, nan)],
    ])('%s is refused', (_, words) => {
      const before = place.pool.bytes
      expect(LinearModel.fromWords(place, words)).toBe(undefined)
      expect(place.pool.bytes).toBe(before)
    })
  })
})

describe('logistic and logRatio', () => {
  const { logistic, logRatio } = engine.exactKernels(memoryKernels)

  it('are 1 / (1 + e^−x) and log((a + 1) / (b + 1))', () => {
    fc.assert(
      fc.property(fc.double({ min: -30, max: 30, noNaN: true }), fc.nat(1e6), fc.nat(1e6), (x, a, b) => {
        expect(logistic(x)).toBeCloseTo(1 / (1 + Math.exp(-x)), 12)
        expect(logRatio(a, b)).toBeCloseTo(Math.log((a + 1) / (b + 1)), 10)
      }),
    )
    expect([logistic(0), logistic(1000), logistic(-1000), logRatio(4, 4)]).toEqual([0.5, 1, 0, 0])
  })
})
