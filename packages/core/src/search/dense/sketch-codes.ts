// Codes of an index's rows, u8 [rows × stride], in the engine's memory.

import type { Arena, Slice } from '../../kernels/arena.ts'
import { GrowingSlice } from '../../kernels/growing-slice.ts'
import type { Discard } from '../../kernels/readers.ts'
import type { Steps } from '../../long-work.ts'

const bytesPerStep = 2 ** 18

export class SketchCodes {
  readonly stride: number
  readonly #slice: GrowingSlice<Uint8Array>
  #rows: number

  /** Takes the slice over. `discard` frees what batches may still be reading. */
  constructor(arena: Arena, stride: number, slice: Slice<Uint8Array>, discard: Discard) {
    this.stride = stride
    this.#slice = new GrowingSlice(arena, Uint8Array, {
      from: slice,
      growth: 2,
      what: 'the codes of the rows',
      discard,
    })
    this.#rows = slice.length / stride
  }

  get pointer(): number {
    return this.#slice.pointer
  }

  get rows(): number {
    return this.#rows
  }

  /** Row `i`'s code as a view, good until something is allocated. */
  row(i: number): Uint8Array {
    return this.#slice.array.subarray(i * this.stride, (i + 1) * this.stride)
  }

  append(code: Uint8Array): void {
    const [start, end] = [this.#rows * this.stride, (this.#rows + 1) * this.stride]
    this.#slice.reserve(end)
    this.#slice.array.set(code, start)
    this.#rows++
  }

  /** Keeps only these rows, in this order. */
  keep(kept: Uint32Array): void {
    const { stride } = this
    this.#slice.replace(kept.length * stride, fewer => {
      const old = this.#slice.array
      for (let i = 0; i < kept.length; i++)
        fewer.set(old.subarray(kept[i] * stride, (kept[i] + 1) * stride), i * stride)
    })
    this.#rows = kept.length
  }

  /** Zeros in the place of all codes. */
  clear(): void {
    this.#slice.replace(this.#rows * this.stride)
  }

  /** All codes, copied in steps, as they are when the first one is taken. Hold them: they may move meanwhile. */
  *copySteps(): Steps<Uint8Array> {
    const { slice } = this.#slice
    const length = this.#rows * this.stride
    yield
    const copy = new Uint8Array(length)
    for (let from = 0; from < length; from += bytesPerStep) {
      copy.set(slice.array.subarray(from, Math.min(length, from + bytesPerStep)), from)
      yield
    }
    return copy
  }

  /** All codes, copied. */
  toArray(): Uint8Array {
    return this.#slice.array.slice(0, this.#rows * this.stride)
  }

  free(): void {
    this.#slice.free()
  }
}
