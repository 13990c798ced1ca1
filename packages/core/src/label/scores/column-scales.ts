// The squared lengths of columns, which change as rows are added and removed, and the factor that corrects values computed
// with an older length: scale = (base / length) ^ power. Invariant: a column in use has a base; right after `rebase` all
// scales are 1.

import type { CopyOnWriteArrays, KeptArray } from '../../kernels/copy-on-write-arrays.ts'

/** Beyond these, scales and strengths would leave the range of f32. */
const [leastScale, mostScale] = [1e-15, 1e15]
/** If subtracting leaves less than this share of what was subtracted, it is only a rounding error. */
const roundingShare = 1e-6

export class ColumnScales {
  readonly scales: KeptArray<Float32Array>
  #squares: Float64Array
  #bases: Float64Array

  constructor(arrays: CopyOnWriteArrays, squares: Float64Array) {
    this.#squares = squares.slice()
    this.#bases = new Float64Array(squares.length)
    this.scales = arrays.make(Float32Array, squares.length)
    this.rebase()
  }

  get length(): number {
    return this.#squares.length
  }

  /** A copy of the squared lengths. */
  squares(): Float64Array {
    return this.#squares.slice()
  }

  norm(column: number): number {
    return Math.sqrt(this.#squares[column])
  }

  /** The length that this column's strengths are made with, until `rebase`. */
  base(column: number): number {
    return this.#bases[column]
  }

  /** Adds to a squared length. A new column gets its base. */
  add(column: number, amount: number): void {
    this.#squares[column] = withoutRounding(this.#squares[column] + amount, amount)
    if (this.#bases[column] === 0) this.#bases[column] = this.norm(column)
  }

  /** Renews a column's scale; false if it went out of range: time to rebase. */
  rescale(column: number, raise: (x: number) => number): boolean {
    const norm = this.norm(column)
    const scale = norm > 0 ? raise(this.#bases[column] / norm) : 1
    this.scales.writable()[column] = scale
    return scale > leastScale && scale < mostScale
  }

  /** Takes the current lengths as bases. */
  rebase(): void {
    this.#bases = this.#squares.map(Math.sqrt)
    this.scales.writable().fill(1)
  }

  /** At least `length` columns: the new ones are empty. */
  extend(length: number): void {
    if (length <= this.length) return
    const grow = (old: Float64Array): Float64Array => {
      const grown = new Float64Array(length)
      grown.set(old)
      return grown
    }
    this.#squares = grow(this.#squares)
    this.#bases = grow(this.#bases)
    this.scales.grow(length)
  }
}

/** A sum after `amount` was added: 0 if only a rounding error is left after a subtraction. */
export function withoutRounding(sum: number, amount: number): number {
  return amount < 0 && sum < -amount * roundingShare ? 0 : sum
}
