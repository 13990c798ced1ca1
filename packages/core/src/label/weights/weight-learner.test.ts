import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Scope } from '../../kernels/arena.ts'
import { Engine } from '../../kernels/engine.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { WeightLearner } from './weight-learner.ts'

const engine = new Engine()
const columns = 5
const labelColumns = 4

interface Case {
  readonly rows: [number, number][][]
  readonly labels: number[][]
  readonly start: number[]
}

const value = fc.integer({ min: 1, max: 16 }).map(n => n / 8)
const row = fc.uniqueArray(fc.tuple(fc.nat({ max: columns - 1 }), value), {
  minLength: 1,
  selector: ([index]) => index,
})
const rowLabels = fc.uniqueArray(fc.nat({ max: labelColumns - 1 }), { minLength: 1, maxLength: 3 })
const cases: fc.Arbitrary<Case> = fc.array(fc.tuple(row, rowLabels), { minLength: 2, maxLength: 8 }).chain(items =>
  fc.record({
    rows: fc.constant(items.map(([entries]) => entries)),
    labels: fc.constant(items.map(([, labels]) => labels)),
    start: fc.array(
      fc.integer({ min: 2, max: 20 }).map(n => n / 8),
      { minLength: columns, maxLength: columns },
    ),
  }),
)

/** The loss as it is defined: mean over the rows, every other row voting. Parameters are logarithms, the sharpness' last. */
function oracleLoss({ rows, labels }: Case, parameters: readonly number[]): number {
  const weighted = rows.map(entries => {
    const dense = new Array<number>(columns).fill(0)
    for (const [index, x] of entries) dense[index] = x * Math.exp(parameters[index])
    return dense
  })
  const dot = (a: number[], b: number[]): number => a.reduce((sum, x, j) => sum + x * b[j], 0)
  const cosine = (a: number[], b: number[]): number => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
  const sharpness = Math.exp(parameters[columns])
  const losses = rows.map((_, q) => {
    const others = rows.map((_, i) => i).filter(i => i !== q)
    const votes = others.map(i => Math.min(1, Math.max(1e-4, cosine(weighted[q], weighted[i]))) ** sharpness)
    const sum = votes.reduce((a, b) => a + b)
    const share = (label: number): number =>
      others.reduce((part, i, n) => part + (labels[i].includes(label) ? votes[n] / sum : 0), 0)
    const seen = new Set([...labels[q], ...others.flatMap(i => labels[i])])
    const total = [...seen].reduce((z, label) => z + share(label) + 1e-3, 0)
    return -labels[q].reduce((part, label) => part + Math.log((share(label) + 1e-3) / total), 0) / labels[q].length
  })
  return losses.reduce((a, b) => a + b) / losses.length
}

function learnerOf(scope: Scope, { rows, labels, start }: Case): WeightLearner {
  const features = SparseMatrix.from(rows, columns)
  const size = { sample: rows.length, k: rows.length - 1 }
  const learner = new WeightLearner(
    engine,
    scope,
    features,
    LabelMatrix.from(labels, labelColumns),
    Float32Array.from(start),
    size,
  )
  const places = Uint32Array.from(rows.keys())
  const others = rows.flatMap((_, q) => [...places].filter(i => i !== q))
  learner.use({
    sampled: places,
    rows: Uint32Array.from(others),
    counts: places.map(() => rows.length - 1),
  })
  return learner
}

describe('WeightLearner', () => {
  it('has the loss and the gradients of the definition', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async input => {
        const scope = engine.arena.scope()
        const learner = learnerOf(scope, input)
        const order = Uint32Array.from(input.rows.keys())
        // One batch, and a rate too small to move anything: the running means then are a tenth of the gradient.
        const judged = await learner.judge(order, 4)
        const loss = await learner.learn(order, 1e-30)
        const means = learner.gradientMeans
        scope.free()
        expect(judged.loss).toBe(loss)
        const parameters = [...input.start, 4].map(Math.log)
        expect(loss / order.length).toBeCloseTo(oracleLoss(input, parameters), 4)
        parameters.forEach((_, j) => {
          const moved = (by: number): number => oracleLoss(input, parameters.map((p, i) => (i === j ? p + by : p))) // biome-ignore format: one line
          const [left, right] = [(moved(0) - moved(-1e-4)) / 1e-4, (moved(1e-4) - moved(0)) / 1e-4]
          if (Math.abs(left - right) > 1e-2) return // at a bound of a similarity there is no one slope
          expect(10 * means[j]).toBeCloseTo((left + right) / 2, 2)
        })
      }),
      { numRuns: 60 },
    )
  })

  it('counts the rows whose first label, ties by label, is their own', async () => {
    // All rows are the same. Rows 0 and 1 see a tie of labels 0 and 1, row 2 sees label 0 twice.
    const rows: [number, number][][] = [[[0, 1]], [[0, 1]], [[0, 1]]]
    const scope = engine.arena.scope()
    const learner = learnerOf(scope, { rows, labels: [[0], [0], [1]], start: [1, 1, 1, 1, 1] })
    expect((await learner.judge(Uint32Array.of(0, 1, 2), 4)).hits).toBe(2)
    expect((await learner.judge(Uint32Array.of(2), 4)).hits).toBe(0)
    scope.free()
  })
})
