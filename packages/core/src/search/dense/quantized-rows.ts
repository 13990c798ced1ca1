// Rows as one byte a number, for an index that drops its f32 rows: a quarter of the memory, and distances as good as the steps.
// All numbers share one range, so that distances between codes are distances in steps.

import type { Engine } from '../../kernels/engine.ts'
import type { Discard } from '../../kernels/readers.ts'
import type { DenseRows } from './dense-rows.ts'
import { SketchCodes } from './sketch-codes.ts'

/** How numbers become codes: code = (number − zero) · steps, rounded. */
export interface CodeRange {
  readonly zero: number
  readonly steps: number
}

export class QuantizedRows implements CodeRange {
  readonly zero: number
  readonly steps: number
  readonly dims: number
  readonly codes: SketchCodes

  constructor(codes: SketchCodes, dims: number, { zero, steps }: CodeRange) {
    this.codes = codes
    this.dims = dims
    this.zero = zero
    this.steps = steps
  }

  /** Codes of all rows, which are left as they are. */
  static from(engine: Engine, rows: DenseRows, discard: Discard): QuantizedRows {
    const range = rangeOf(rows.array)
    const stride = strideOf(rows.dims)
    const slice = engine.arena.allocate(Uint8Array, rows.rows * stride, 'the codes of the rows')
    const made = new QuantizedRows(new SketchCodes(engine.arena, stride, slice, discard), rows.dims, range)
    for (let row = 0; row < rows.rows; row++) slice.array.set(made.encode(rows.row(row)), row * stride)
    return made
  }

  /** A row's code, padded with zeros; numbers beyond the range get its end. */
  encode(row: Float32Array): Uint8Array {
    const code = new Uint8Array(this.codes.stride)
    for (let j = 0; j < row.length; j++) {
      code[j] = Math.max(0, Math.min(255, Math.round((row[j] - this.zero) * this.steps)))
    }
    return code
  }

  /** The numbers that a row's code represents. */
  decode(row: number): Float32Array {
    const code = this.codes.row(row)
    return Float32Array.from({ length: this.dims }, (_, j) => this.zero + code[j] / this.steps)
  }
}

/** Bytes of a code of this many numbers: filled up to whole SIMD lanes. */
export function strideOf(dims: number): number {
  return Math.ceil(dims / 16) * 16
}

/** Whole numbers get steps of 1, if a byte can count them: then nothing is rounded. */
function rangeOf(values: Float32Array): CodeRange {
  let [least, most, whole] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, true]
  for (let e = 0; e < values.length; e++) {
    least = Math.min(least, values[e])
    most = Math.max(most, values[e])
    whole &&= Number.isInteger(values[e])
  }
  if (most === least || (whole && most - least <= 255)) return { zero: least, steps: 1 }
  return { zero: least, steps: Math.fround(255 / (most - least)) }
}
