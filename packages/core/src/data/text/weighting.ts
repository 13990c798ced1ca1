// Counts → weights: how often a feature occurs in a text, times how rare it is among the texts (tf-idf).
// Every number is the same on every machine: sums, products and roots are exact IEEE operations in a fixed order. The
// one exception, the logarithm, may differ in its last bit between engines, and is therefore rounded to 32 bits.

import type { Steps } from '../../long-work.ts'
import { scaleToUnit } from '../../matrix/dense-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import type { KeyStream } from './key-stream.ts'
import type { TextOptions } from './text-options.ts'

/** In how many texts each column occurs. */
export class DocumentFrequencies {
  #frequencies = new Uint32Array(1024)
  // The last text that counted for a column, from 1 on.
  #lastText = new Uint32Array(1024)
  #documents = 0

  get documents(): number {
    return this.#documents
  }

  /** Counts one text, whose keys are keys[from, to). */
  add(keys: Uint32Array, from: number, to: number): void {
    this.#documents++
    for (let e = from; e < to; e++) {
      const column = keys[e] >>> 1
      if (column >= this.#frequencies.length) this.#grow(column)
      if (this.#lastText[column] === this.#documents) continue
      this.#lastText[column] = this.#documents
      this.#frequencies[column]++
    }
  }

  /** One frequency a column; 0 for those not met. */
  toArray(columns: number): Uint32Array {
    const frequencies = new Uint32Array(columns)
    frequencies.set(this.#frequencies.subarray(0, columns))
    return frequencies
  }

  #grow(column: number): void {
    const length = Math.max(column + 1, this.#frequencies.length * 2)
    const [frequencies, lastText] = [new Uint32Array(length), new Uint32Array(length)]
    frequencies.set(this.#frequencies)
    lastText.set(this.#lastText)
    this.#frequencies = frequencies
    this.#lastText = lastText
  }
}

/** The idf of a feature that is in `frequency` of `documents` texts; see `TextOptions.idf`. */
export function inverseFrequency(frequency: number, documents: number, kind: 'smooth' | 'plain'): number {
  if (kind === 'smooth') return Math.fround(Math.log((1 + documents) / (1 + frequency)) + 1)
  // A hashed column may be in no text: it weighs as much as the rarest that is.
  return Math.fround(Math.log(documents / Math.max(1, frequency)))
}

export type TextWeightOptions = Required<Pick<TextOptions, 'sublinear' | 'normalize'>>

const rowsPerStep = 1024

/** One row per text. Uses up the stream: its keys become the indices. Entries of weight 0 are left out. */
export function* weighRows(
  stream: KeyStream,
  columns: number,
  idf: Float32Array | undefined,
  { sublinear, normalize }: TextWeightOptions,
): Steps<SparseMatrix> {
  const { keys, rows } = stream
  const values = new Float32Array(stream.offsets[rows])
  const offsets = new Float64Array(rows + 1)
  for (let row = 0; row < rows; row++) {
    if (row % rowsPerStep === 0) yield
    const [from, to] = [stream.offsets[row], stream.offsets[row + 1]]
    keys.subarray(from, to).sort()
    const start = offsets[row]
    const end = weighRow(keys, from, to, start, values, idf, sublinear)
    if (normalize) scaleToUnit(values.subarray(start, end))
    offsets[row + 1] = end
  }
  const entries = offsets[rows]
  return new SparseMatrix(rows, columns, offsets, keys.slice(0, entries), values.slice(0, entries))
}

/** Writes the row of the sorted keys[from, to) to keys and values from `start` ≤ `from` on; returns where it ends. */
function weighRow(
  keys: Uint32Array,
  from: number,
  to: number,
  start: number,
  values: Float32Array,
  idf: Float32Array | undefined,
  sublinear: boolean,
): number {
  let end = start
  let next = from
  while (next < to) {
    const column = keys[next] >>> 1
    let count = 0
    for (; next < to && keys[next] >>> 1 === column; next++) count += (keys[next] & 1) === 0 ? 1 : -1
    const weight = (sublinear ? dampen(count) : count) * (idf ? idf[column] : 1)
    if (weight === 0) continue
    keys[end] = column
    values[end++] = weight
  }
  return end
}

/** 1 + ln n, with the sign of the count. */
function dampen(count: number): number {
  if (count >= -1 && count <= 1) return count
  return Math.sign(count) * Math.fround(1 + Math.log(Math.abs(count)))
}
