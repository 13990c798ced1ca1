// The rounds of learning feature weights: find the neighbors under the weights so far, check how held-out rows are
// labeled, learn from the other rows. If the held-out rows get worse than at the start, learning stops and the start weights are kept: with little to learn
// from (many features in few rows each), learned weights would do harm.

import { EngineError } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import type { Random } from '../../random.ts'
import { findLeaveOneOutNeighbors } from './leave-one-out-neighbors.ts'
import type { Judgment, WeightLearner } from './weight-learner.ts'
import type { WeightSettings } from './weight-options.ts'

export interface LearnedWeights {
  /** One weight per feature; only their ratios matter. */
  readonly weights: Float32Array
  /** The exponent of similarities that goes with them (the paper's α). */
  readonly sharpness: number
  /** False if they are the start: there was nothing to learn from, or what was learned did harm. */
  readonly isLearned: boolean
  /** Mean loss of a row in each epoch, while it was learned from. */
  readonly losses: readonly number[]
  /** Mean loss of the rows that were not learned from, at the start and after each round. */
  readonly checks: readonly number[]
}

/** Rows to check by, and rows to learn from. */
export interface RowSplit {
  readonly checked: Uint32Array
  readonly learned: Uint32Array
  /** How many of `learned` a round takes. */
  readonly sample: number
}

interface State extends Judgment {
  readonly weights: Float32Array
  readonly sharpness: number
}

/** A tenth of the rows are checked, but no more than this. */
const mostChecked = 2000
/** The rate falls along the epochs to this share of itself. */
const lastRate = 0.1
/** The sharpness is looked for in steps of this factor, and not beyond these. */
const sharpnessStep = 1.25
const [leastSharpness, mostSharpness] = [0.3, 60]

/** Divides rows that are in random order. */
export function splitRows(rows: Uint32Array, sample: number): RowSplit {
  const count = Math.min(mostChecked, Math.floor(rows.length / 10))
  const learned = rows.subarray(count)
  return { checked: rows.subarray(0, count), learned, sample: Math.min(sample, learned.length) }
}

export class WeightRounds {
  readonly #learner: WeightLearner
  readonly #features: SparseMatrix
  readonly #rows: RowSplit
  readonly #random: Random
  readonly #settings: WeightSettings
  readonly #work: LongWork
  readonly #losses: number[] = []
  readonly #checks: number[] = []
  /** Places of the current rows that have neighbors, the checked ones first. */
  #places = new Uint32Array(0)

  constructor(
    learner: WeightLearner,
    features: SparseMatrix,
    rows: RowSplit,
    random: Random,
    settings: WeightSettings,
    work: LongWork,
  ) {
    this.#learner = learner
    this.#features = features
    this.#rows = rows
    this.#random = random
    this.#settings = settings
    this.#work = work
  }

  async run(): Promise<LearnedWeights> {
    await this.#findLeaveOneOutNeighbors(true)
    const start = await this.#check()
    let state = start
    for (let round = 0; round < this.#settings.rounds; round++) {
      await this.#learn(round)
      await this.#findLeaveOneOutNeighbors(round + 1 < this.#settings.rounds)
      state = await this.#check()
      // One row labeled wrong may be chance.
      if (state.loss > start.loss || state.hits < start.hits - 1) {
        state = start
        break
      }
    }
    const { weights, sharpness } = state
    return { weights, sharpness, isLearned: state !== start, losses: this.#losses, checks: this.#checks }
  }

  /** LeaveOneOutNeighbors for the checked rows and, if another round follows, for the rows it draws. */
  async #findLeaveOneOutNeighbors(goesOn: boolean): Promise<void> {
    const { checked, learned, sample } = this.#rows
    const drawn = this.#random.sample(learned.length, goesOn ? sample : 0)
    const rows = new Uint32Array(checked.length + drawn.length)
    rows.set(checked)
    rows.set(
      drawn.map(place => learned[place]),
      checked.length,
    )
    const weighted = weightFeatures(this.#features, this.#learner.weights)
    const neighbors = await findLeaveOneOutNeighbors(weighted, rows, this.#settings, this.#work)
    this.#learner.use(neighbors)
    this.#places = Uint32Array.from(neighbors.counts.keys()).filter(place => neighbors.counts[place] > 0)
  }

  /** The weights as they are, with the sharpness near the learned one that labels the checked rows best. */
  async #check(): Promise<State> {
    const places = this.#places.filter(place => place < this.#rows.checked.length)
    const judge = (sharpness: number): Promise<Judgment> => this.#learner.judge(places, sharpness, this.#work)
    let { sharpness } = this.#learner
    let best = await judge(sharpness)
    for (const factor of [sharpnessStep, 1 / sharpnessStep]) {
      for (let next = sharpness * factor; next > leastSharpness && next < mostSharpness; next *= factor) {
        const judgment = await judge(next)
        if (judgment.loss >= best.loss) break
        best = judgment
        sharpness = next
      }
    }
    this.#checks.push(best.loss / Math.max(1, places.length))
    return { ...best, weights: this.#learner.weights, sharpness }
  }

  async #learn(round: number): Promise<void> {
    const { rounds, epochs, rate } = this.#settings
    const order = this.#places.filter(place => place >= this.#rows.checked.length)
    for (let epoch = 0; epoch < epochs; epoch++) {
      const done = (round * epochs + epoch) / (rounds * epochs)
      const stride = rate * (1 - (1 - lastRate) * done)
      const sum = await this.#learner.learn(this.#random.shuffle(order), stride, this.#work)
      this.#losses.push(sum / Math.max(1, order.length))
    }
  }
}

/** A copy of the rows with every value times its feature's weight. */
export function weightFeatures(features: SparseMatrix, weights: Float32Array): SparseMatrix {
  if (weights.length !== features.columns) {
    throw new EngineError('DIMENSION_MISMATCH', `you gave ${weights.length} weights for ${features.columns} features`)
  }
  const values = features.values.map((value, e) => value * weights[features.indices[e]])
  return new SparseMatrix(features.rows, features.columns, features.offsets, features.indices, values)
}
