// Tries efforts on held-out rows: how much of the truth each finds, and what it costs. Costs are counted, not timed.

import { assert } from '../../../errors.ts'
import type { Scope, Slice } from '../../../kernels/arena.ts'
import type { Engine } from '../../../kernels/engine.ts'
import { eachInTurns } from '../../../long-work.ts'
import type { DenseRows } from '../../dense/dense-rows.ts'
import { wholeMicros } from '../../dense/exact-cost.ts'
import type { ExactNeighbors } from '../../dense/exact-search.ts'
import type { Effort, Searched } from '../block.ts'
import { codesMicros, effortMicros } from '../cost.ts'
import { exactByCodes } from '../exact-by-codes.ts'
import { ForestQueryBuffers, forestNeighbors, rankAgain } from '../search.ts'
import type { RowParts } from '../training-rows.ts'
import { reachOf } from '../unlike-queries.ts'
import type { HeldOut } from './held-out.ts'

/** One effort that was tried. */
export interface TriedEffort {
  readonly effort: Effort
  /** The share of the true neighbors of held-out rows that was found. */
  readonly recall: number
  /** Candidates a query. */
  readonly candidates: number
  /** Estimated microseconds per query on a current machine. Efforts are compared by it. */
  readonly cost: number
}

/** A tried effort with how far its recall may be off: the target must be beaten by that much. */
export interface Measured extends TriedEffort {
  readonly error: number
}

/** A forest that has not seen the held-out rows. */
export interface TrialForest {
  readonly searched: Searched
  /** Labels in an average leaf. */
  readonly leafEntries: number
}

export interface TrialQuestion extends RowParts {
  readonly heldOut: HeldOut
  /** Whether answers are compared with the rows themselves, or with codes of them. */
  readonly keepsRows: boolean
  readonly threads?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Rounding: sums of scattered rows run in another order. */
const tolerance = 1e-5

export class EffortTrials {
  readonly #engine: Engine
  readonly #question: TrialQuestion
  readonly #mask: Slice<Uint8Array>
  /** By how many of the held-out rows were asked about: the most neighbors so far. */
  readonly #truths = new Map<number | undefined, ExactNeighbors>()
  #seconds = 0

  /** The mask of rows that may be found stays in the scope. */
  constructor(engine: Engine, scope: Scope, question: TrialQuestion) {
    this.#engine = engine
    this.#question = question
    this.#mask = scope.allocate(Uint8Array, question.rows.rows, 'a mask of rows')
    this.#mask.array.fill(1)
    for (const row of question.heldOut.hidden) this.#mask.array[row] = 0
  }

  /** Estimated seconds of one core that the trials took so far. */
  get seconds(): number {
    return this.#seconds
  }

  /** How many rows there are, and how long they are. */
  get shape(): Pick<DenseRows, 'rows' | 'dims'> {
    const { rows, dims } = this.#question.rows
    return { rows, dims }
  }

  /** Counts work beside the trials. */
  spend(seconds: number): void {
    this.#seconds += seconds
  }

  /** Finds the k nearest of `most` held-out rows, for trials with as many neighbors and with fewer: rows are compared once for all of them. */
  async foresee(k: number, most: number): Promise<void> {
    await this.#truth(k, most)
  }

  /** What an effort finds of the k nearest of the held-out rows, or of `most` of them. */
  async measure(forest: TrialForest, effort: Effort, k: number, most?: number): Promise<Measured> {
    const { threads, signal } = this.#question
    const { searched } = forest
    const [picked, truth] = [this.#picked(most), await this.#truth(k, most)]
    const found = await this.#withQueries(picked, queries =>
      forestNeighbors(this.#engine, { searched, queries, k: truth.k, effort, mask: this.#mask, threads, signal }),
    )
    const candidates = found.candidates / picked.length
    const cost = this.cost(forest, effort, candidates)
    this.#seconds += (picked.length * cost) / 1e6
    return { effort, ...this.#recall(found, truth), candidates, cost }
  }

  /** Estimated microseconds of a query that finds this many candidates. */
  cost({ searched, leafEntries }: TrialForest, effort: Effort, candidates: number): number {
    const { rows } = this.#question
    const shape = { rows: rows.rows, dims: rows.dims, sketchDims: searched.sketch.dims, leafEntries }
    return effortMicros(effort, candidates, shape)
  }

  /** The recall of comparing all rows: 1, unless only codes are kept. */
  async measureExact(forest: TrialForest, effort: Effort, k: number): Promise<Measured> {
    const { rows, keepsRows, signal } = this.#question
    const whole = { effort: { ...effort, exact: true }, candidates: rows.rows, cost: wholeMicros(rows) }
    if (keepsRows) return { ...whole, recall: 1, error: 0 }
    const truth = await this.#truth(k)
    const picked = this.#picked()
    const found = { ...truth, rows: truth.rows.slice(), raw: truth.raw.slice(), counts: truth.counts.slice() }
    const listed = this.#findable()
    await this.#withQueries(picked, ({ slice }) =>
      rankAgain(this.#engine, forest.searched, slice, found, Array.from(picked.keys()), listed, { signal }),
    )
    this.#seconds += (picked.length * whole.cost) / 1e6
    return { ...whole, ...this.#recall(found, truth) }
  }

  /** How far the nearest row of each held-out row is: see unlike-queries.ts. */
  async reaches(k: number): Promise<Float64Array> {
    const { rows, heldOut } = this.#question
    const truth = await this.#truth(k)
    return Float64Array.from(heldOut.queries, (query, i) =>
      reachOf(heldOut.of.row(query), truth.raw[i * truth.k], rows.products),
    )
  }

  /** For `most` held-out rows, the places of the k nearest, nearest first, in the order of all codes; `size` means a later one. */
  async codePlaces(forest: TrialForest, k: number, size: number, most: number): Promise<Uint32Array[]> {
    const { rows, heldOut, signal } = this.#question
    const [picked, truth, listed] = [this.#picked(most), await this.#truth(k, most), this.#findable()]
    const places: Uint32Array[] = []
    const placeOf = new Uint32Array(rows.rows)
    const buffers = new ForestQueryBuffers(this.#engine, rows.dims)
    try {
      buffers.open(forest.searched, rows.rows)
      await eachInTurns(picked.length, 'tuning filters', { signal }, i => {
        placeOf.fill(size)
        buffers
          .codeOrder(heldOut.of.row(picked[i]).slice(), Math.min(size, listed.length), listed)
          .forEach((row, place) => {
            placeOf[row] = place
          })
        places.push(truth.rows.slice(i * truth.k, i * truth.k + truth.counts[i]).map(row => placeOf[row]))
      })
    } finally {
      buffers.free()
    }
    this.#seconds += (picked.length * codesMicros(listed.length, forest.searched.sketch.dims)) / 1e6
    return places
  }

  /** The rows that are not hidden. */
  #findable(): Uint32Array {
    return Uint32Array.from(this.#mask.array.keys()).filter(row => this.#mask.array[row] === 1)
  }

  /** At most `most` of the held-out rows, spread over all of them. */
  #picked(most?: number): Uint32Array {
    const { queries } = this.#question.heldOut
    const step = Math.ceil(queries.length / Math.min(queries.length, most ?? queries.length))
    return queries.filter((_, i) => i % step === 0)
  }

  async #truth(k: number, most?: number): Promise<ExactNeighbors> {
    const { rows, heldOut, threads, signal } = this.#question
    const visible = rows.rows - heldOut.hidden.length
    assert(visible > 0, 'some rows are not held out')
    const wanted = Math.min(k, visible)
    const known = this.#truths.get(most)
    if (known && known.k >= wanted) return firstOf(known, wanted)
    const question = { rows, k: wanted, mask: this.#mask, threads, signal }
    const truth = await this.#withQueries(this.#picked(most), queries =>
      exactByCodes(this.#engine, { ...question, queries }, this.#question),
    )
    this.#truths.set(most, truth)
    return truth
  }

  /** By distance, as ties make rows a matter of chance; by row if distances are rounded. */
  #recall(found: ExactNeighbors, truth: ExactNeighbors): { recall: number; error: number } {
    const { keepsRows, rows } = this.#question
    const { k } = truth
    const recalls = Float64Array.from(truth.counts, (wanted, i) => {
      if (wanted === 0) return 1
      const [from, to] = [i * k, i * k + found.counts[i]]
      if (!keepsRows) {
        const near = new Set(truth.rows.subarray(from, from + wanted))
        return found.rows.subarray(from, to).filter(row => near.has(row)).length / wanted
      }
      const farthest = truth.raw[from + wanted - 1]
      const slack = tolerance * Math.abs(farthest)
      const near = found.raw
        .subarray(from, to)
        .filter(raw => (rows.products ? raw >= farthest - slack : raw <= farthest + slack))
      return Math.min(wanted, near.length) / wanted
    })
    return meanAndError(recalls, k)
  }

  async #withQueries<T>(
    picked: Uint32Array,
    use: (queries: { pointer: number; rows: number; slice: Slice<Float32Array> }) => Promise<T>,
  ): Promise<T> {
    const { of } = this.#question.heldOut
    const scope = this.#engine.arena.scope()
    try {
      const queries = scope.allocate(Float32Array, picked.length * of.dims, 'held-out rows')
      for (let i = 0; i < picked.length; i++) queries.array.set(of.row(picked[i]), i * of.dims)
      return await use({ pointer: queries.pointer, rows: picked.length, slice: queries })
    } finally {
      scope.free()
    }
  }
}

/** The nearest k of each query. */
function firstOf(neighbors: ExactNeighbors, k: number): ExactNeighbors {
  if (neighbors.k === k) return neighbors
  const { queries, counts } = neighbors
  const cut = { queries, k, rows: new Uint32Array(queries * k), raw: new Float32Array(queries * k) }
  for (let i = 0; i < queries; i++) {
    const from = i * neighbors.k
    cut.rows.set(neighbors.rows.subarray(from, from + k), i * k)
    cut.raw.set(neighbors.raw.subarray(from, from + k), i * k)
  }
  return { ...cut, counts: counts.map(count => Math.min(count, k)) }
}

/**
 * The error is the standard error, and what one query more could change: the chosen effort is the luckiest of many. If nothing was missed,
 * it is what missing one neighbor would make of it.
 */
export function meanAndError(values: Float64Array, k: number): { recall: number; error: number } {
  const recall = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - recall) ** 2, 0)
  const standard = Math.sqrt(squares / Math.max(1, values.length - 1) / values.length)
  return { recall, error: recall === 1 ? 2 / (k * values.length) : standard + 1 / values.length }
}
