// Links between the rows of an index, u32 [rows × width], in the engine's memory; like the rows they grow by doubling. Batches in
// worker threads may be reading them while rows are added: then writing goes to a copy.

import type { Slice } from '../../../kernels/arena.ts'
import type { Engine } from '../../../kernels/engine.ts'
import { noLink } from '../../../kernels/generated/blocks/dense-forest.ts'
import type { SearchedLinks } from '../block.ts'

export class RowLinks implements SearchedLinks {
  readonly width: number
  readonly #engine: Engine
  #slice: Slice<Uint32Array>
  #rows: number
  /** The last reading that began before the links were copied. */
  #madeAt: number

  /** Takes the slice over. */
  constructor(engine: Engine, width: number, slice: Slice<Uint32Array>) {
    this.#engine = engine
    this.width = width
    this.#slice = slice
    this.#rows = slice.length / width
    this.#madeAt = engine.readers.lastReading
  }

  get pointer(): number {
    return this.#slice.pointer
  }

  get rows(): number {
    return this.#rows
  }

  /** The links of row `i`. A copy. */
  row(i: number): Uint32Array {
    const all = this.#slice.array.slice(i * this.width, (i + 1) * this.width)
    const end = all.indexOf(noLink)
    return end < 0 ? all : all.subarray(0, end)
  }

  /** Where they are now. Readers who hold it can go on reading when they change. */
  get slice(): Slice<Uint32Array> {
    return this.#slice
  }

  /** Makes room for one more row, without links yet; what was there may then be written to. */
  extend(): void {
    const [start, end] = [this.#rows * this.width, (this.#rows + 1) * this.width]
    if (end > this.#slice.length) this.#copy(Math.max(end, 2 * start))
    else this.#detach()
    this.#slice.array.fill(noLink, start, end)
    this.#rows++
  }

  /** Other links for some rows, from row `from` on. */
  put(from: number, links: Uint32Array): void {
    this.#detach()
    this.#slice.array.set(links, from * this.width)
  }

  /** No links for these rows. */
  clear(rows: Iterable<number>): void {
    this.#detach()
    clearLinks(this.#slice.array, this.width, rows)
  }

  /** Other links in the place of all. Takes the slice over. */
  replace(slice: Slice<Uint32Array>): void {
    this.free()
    this.#slice = slice
    this.#rows = slice.length / this.width
    this.#madeAt = this.#engine.readers.lastReading
  }

  /** Keeps only these rows, whose links lead to no others; `newRows` are the rows' new numbers. */
  select(kept: Uint32Array, newRows: Uint32Array): void {
    const { width } = this
    const slice = this.#engine.arena.allocate(Uint32Array, kept.length * width, 'links between rows')
    const [from, to] = [this.#slice.array, slice.array]
    for (let i = 0; i < kept.length; i++) {
      for (let j = 0; j < width; j++) {
        const linked = from[kept[i] * width + j]
        to[i * width + j] = linked === noLink ? noLink : newRows[linked]
      }
    }
    this.replace(slice)
  }

  /** Now, or when the last batch is done. */
  free(): void {
    const slice = this.#slice
    this.#engine.readers.discard(() => slice.free())
  }

  /** Goes on with a copy if batches may be reading. */
  #detach(): void {
    if (this.#engine.readers.lastReading > this.#madeAt) this.#copy(this.#slice.length)
  }

  #copy(length: number): void {
    const slice = this.#engine.arena.allocate(Uint32Array, length, 'links between rows')
    const rows = this.#rows
    slice.array.set(this.#slice.array.subarray(0, rows * this.width))
    this.replace(slice)
    this.#rows = rows
  }
}

/** Takes the links of these rows out of an array of links. */
export function clearLinks(links: Uint32Array, width: number, rows: Iterable<number>): void {
  for (const row of rows) links.fill(noLink, row * width, (row + 1) * width)
}
