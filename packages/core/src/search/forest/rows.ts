// The rows of a forest index in the forms it searches: as they are, or as a byte a number, or not at all, as the index was told; and
// always as codes of their sketches. All grow and shrink together.

import type { Engine } from '../../kernels/engine.ts'
import type { Discard } from '../../kernels/readers.ts'
import { finish, type Steps } from '../../long-work.ts'
import { DenseRows } from '../dense/dense-rows.ts'
import { QuantizedRows, strideOf } from '../dense/quantized-rows.ts'
import { Sketch } from '../dense/sketch.ts'
import { SketchCodes } from '../dense/sketch-codes.ts'
import type { Searched, SearchedCodes } from './block.ts'
import type { LoadedForest } from './contents.ts'
import { linkNewest } from './links/link-rows.ts'
import { LinkMender, mendedLinks } from './links/mend-links.ts'
import { RowLinks } from './links/row-links.ts'
import type { ForestSettings } from './options.ts'

export interface ForestRowParts {
  readonly keep: ForestSettings['keep']
  /** Without rows, unless these are kept. */
  readonly rows: DenseRows
  readonly sketch: Sketch
  readonly codes: SketchCodes
  readonly rowCodes: QuantizedRows | undefined
  readonly links: RowLinks | undefined
  readonly fitted?: FittedRows | undefined
}

/** The rows that an index was fitted with: their numbers are below `below`, and `left` of them were not removed. */
export interface FittedRows {
  readonly below: number
  readonly left: number
}

/** Codes get a wider range if a larger share of the rows lies beyond it. */
const mostBeyond = 1 / 50
/** Their range then covers so many times the reach of these rows: drifting goes on. */
const spareReach = 1.5

export class ForestRows implements ForestRowParts {
  readonly keep: ForestSettings['keep']
  readonly rows: DenseRows
  readonly sketch: Sketch
  readonly codes: SketchCodes
  readonly rowCodes: QuantizedRows | undefined
  readonly links: RowLinks | undefined
  readonly #engine: Engine
  readonly #mender: LinkMender | undefined
  #fitted: FittedRows
  /** Of added rows that lie beyond the range of the codes: how many, and the sum of their squared reaches. */
  #beyondRows = 0
  #beyondSquares = 0

  constructor(engine: Engine, { keep, rows, sketch, codes, rowCodes, links, fitted }: ForestRowParts) {
    this.#engine = engine
    this.keep = keep
    this.rows = rows
    this.sketch = sketch
    this.codes = codes
    this.rowCodes = rowCodes
    this.links = links
    this.#mender = links && new LinkMender(engine, links)
    this.#fitted = fitted ?? { below: codes.rows, left: codes.rows }
  }

  static fromLoaded(engine: Engine, loaded: LoadedForest, discard: Discard): ForestRows {
    const { metric, dims, values } = loaded
    const sketch = new Sketch(engine, loaded.sketch)
    const place = (stride: number, codes: Uint8Array) =>
      new SketchCodes(engine.arena, stride, engine.arena.place(codes, 'the codes of the rows'), discard)
    const { rowCodes, links, fitted } = loaded
    const width = loaded.settings.links
    return new ForestRows(engine, {
      ...{ keep: loaded.settings.keep, fitted },
      rows: new DenseRows(engine, metric, dims, engine.arena.place(values, 'the rows'), discard),
      sketch,
      codes: place(sketch.stride, loaded.codes),
      rowCodes: rowCodes && new QuantizedRows(place(strideOf(dims), rowCodes.codes), dims, rowCodes),
      links: links && new RowLinks(engine, width, engine.arena.place(links, 'links between rows')),
    })
  }

  /** Where everything lies now: rows and codes move when they grow. */
  searched(): Omit<Searched, 'forest' | 'treesSeeSketch'> {
    const { dims, products, pointer } = this.rows
    const { rowCodes, codes, links, sketch } = this
    return {
      rows: { pointer: this.keep === 'rows' ? pointer : 0, rows: codes.rows, dims, products },
      codes: placeOf(codes),
      rowCodes: rowCodes && { ...placeOf(rowCodes.codes), steps: rowCodes.steps, zero: rowCodes.zero },
      ...{ links, sketch },
    }
  }

  /** The sketch of row `i`, from its code if the index stores nothing else of the row. */
  sketchOf(i: number): Float32Array {
    if (this.keep === 'sketch') return this.sketch.decode(this.codes.row(i))
    return this.sketch.sketchOne(this.row(i))
  }

  /** A copy of row `i`, if rows or their codes are stored. */
  row(i: number): Float32Array {
    return this.rowCodes?.decode(i) ?? this.rows.row(i).slice()
  }

  /** Adds a prepared row, which is near these rows. Returns its sketch. */
  append(row: Float32Array, near: Uint32Array): Float32Array {
    if (this.keep === 'rows') this.rows.append(row)
    this.rowCodes?.codes.append(this.rowCodes.encode(row))
    const sketch = this.sketch.sketchOne(row)
    this.codes.append(this.#codeOf(sketch))
    const reach = this.sketch.reachBeyond(sketch)
    if (reach > 0) this.#beyondRows++
    this.#beyondSquares += reach * reach
    if (this.links) linkNewest(this.#engine, this.searched(), this.links, near)
    return sketch
  }

  /**
   * Makes all codes anew with a wider range if many of the added rows lie beyond it, as rows do that drift away. Their codes are clamped, so
   * that near and far rows look alike. Codes that are all there is of a row stay as they are.
   */
  widenCodes(): void {
    if (this.keep !== 'rows' || this.#beyondRows <= mostBeyond * this.rows.rows) return
    this.sketch.rescale(spareReach * Math.sqrt(this.#beyondSquares / this.#beyondRows))
    this.codes.clear()
    this.sketch.encodeRows(this.rows, this.codes.pointer)
    this.#beyondRows = 0
    this.#beyondSquares = 0
  }

  /** Without rows that were removed since `forget`. */
  get fitted(): FittedRows {
    return this.#fitted
  }

  /** `fitted` without these rows. */
  fittedWithout(gone: ReadonlySet<number>): FittedRows {
    const { below, left } = this.#fitted
    let lost = 0
    for (const row of gone) if (row < below) lost++
    return { below, left: left - lost }
  }

  /** Counts these rows as gone, and empties the set. */
  forget(gone: Set<number>): void {
    this.#fitted = this.fittedWithout(gone)
    gone.clear()
  }

  /** A row was removed: the others will be linked around it. */
  unlink(row: number): void {
    this.#mender?.removed(row)
  }

  /** After each change. */
  mendSomeLinks(): void {
    this.#mender?.mendSome(() => this.searched())
  }

  /** All links, led around removed rows, in steps: see `mendedLinks`. */
  mendedLinks(): Steps<Uint32Array> | undefined {
    const { links } = this
    return links && mendedLinks(this.#engine, this.searched(), links, this.#mender?.gone ?? [])
  }

  /** What `mendedLinks` returned, if nothing has changed since. */
  takeLinks(mended: Uint32Array): void {
    this.links?.replace(this.#engine.arena.place(mended, 'links between rows'))
    this.#mender?.reset()
  }

  /** Leaves only these rows, in this order; `newRows` are the new numbers of all. */
  select(kept: Uint32Array, newRows: Uint32Array): void {
    this.#fitted = { ...this.#fitted, below: this.#fitted.left }
    const mending = this.mendedLinks()
    if (mending) this.takeLinks(finish(mending))
    this.links?.select(kept, newRows)
    if (this.keep === 'rows') this.rows.keep(kept)
    this.rowCodes?.codes.keep(kept)
    this.codes.keep(kept)
  }

  /** `discard` frees what batches may still be reading. */
  free(discard: (free: () => void) => void): void {
    this.rows.free()
    this.codes.free()
    this.rowCodes?.codes.free()
    this.links?.free()
    discard(() => this.sketch.free())
  }

  #codeOf(sketch: Float32Array): Uint8Array {
    const scope = this.#engine.arena.scope()
    try {
      const code = scope.allocate(Uint8Array, this.sketch.stride)
      this.sketch.encode(scope.place(sketch).pointer, 1, code.pointer)
      return code.array.slice()
    } finally {
      scope.free()
    }
  }
}

function placeOf({ pointer, stride }: SketchCodes): SearchedCodes {
  return { pointer, stride }
}
