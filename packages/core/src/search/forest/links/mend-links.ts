// Links around rows that are gone: links to them are replaced by their links. Each row is mended by itself, so that it can be done a few
// rows at a time. Rows that are gone keep their links until all others are mended. The work is done by assembly/forest/links.ts.

import type { Scope, Slice } from '../../../kernels/arena.ts'
import { isOutOfMemory } from '../../../kernels/collection.ts'
import type { Engine } from '../../../kernels/engine.ts'
import { searchedBlock } from '../../../kernels/generated/blocks/dense-forest.ts'
import { forestKernels } from '../../../kernels/sets/forest.ts'
import type { Steps } from '../../../long-work.ts'
import { type Linked, placeMask, scratchBytes, slack, writeIndex } from './link-rows.ts'
import { clearLinks, type RowLinks } from './row-links.ts'

/** A row takes up to 0.1 ms, if many of its links are gone. */
const rowsPerStep = 64
/** A pass over all rows begins when this share of them is gone: a row takes less time for many links than for one after the other. */
const goneShare = 1 / 16
const fewestGone = 64
const rowsPerChange = 32

/**
 * All links as they are when the first step is taken, led around rows that are gone, which have none. Hold rows and links: they may move
 * meanwhile.
 */
export function* mendedLinks(
  engine: Engine,
  searched: Linked,
  links: RowLinks,
  gone: Iterable<number>,
): Steps<Uint32Array> {
  const { rows, width, slice } = links
  const [scope, lost] = [engine.arena.scope(), [...gone]]
  try {
    const mending = lost.length > 0 ? new Mending(engine, scope, searched, links, { gone: lost, rows }) : undefined
    yield
    const mended = new Uint32Array(rows * width)
    for (let from = 0; from < rows; from += rowsPerStep) {
      const to = Math.min(rows, from + rowsPerStep)
      mended.set(mending?.mend(from, to) ?? slice.array.subarray(from * width, to * width), from * width)
      yield
    }
    clearLinks(mended, width, lost)
    return mended
  } finally {
    scope.free()
  }
}

/** Mends some links at every change, so that no change and no file has many to mend. */
export class LinkMender {
  readonly #engine: Engine
  readonly #links: RowLinks
  /** Gone since the pass began. */
  #waiting = new Set<number>()
  #pass: Pass | undefined

  constructor(engine: Engine, links: RowLinks) {
    this.#engine = engine
    this.#links = links
  }

  /** Rows that are gone, and may still be linked with. */
  get gone(): number[] {
    return [...(this.#pass?.gone ?? []), ...this.#waiting]
  }

  /** A row was removed. */
  removed(row: number): void {
    this.#waiting.add(row)
  }

  /** After each change. Without memory it waits for the next one. */
  mendSome(searched: () => Linked): void {
    if (!this.#pass && this.#waiting.size < Math.max(fewestGone, goneShare * this.#links.rows)) return
    try {
      this.#pass ??= this.#begin(searched())
    } catch (error) {
      if (isOutOfMemory(error)) return
      throw error
    }
    const { mending, gone, rows, next } = this.#pass
    const to = Math.min(rows, next + rowsPerChange)
    mending.place(searched(), this.#links)
    this.#links.put(next, mending.mend(next, to))
    this.#pass.next = to
    if (to < rows) return
    this.#links.clear(gone)
    this.#endPass()
  }

  /** All links were mended, or rows have new numbers. */
  reset(): void {
    this.#waiting.clear()
    this.#endPass()
  }

  #begin(searched: Linked): Pass {
    const { rows } = this.#links
    const gone = [...this.#waiting]
    const scope = this.#engine.arena.scope()
    try {
      // Each change may add a row, and mends some.
      const all = rows + Math.ceil(rows / rowsPerChange)
      const mending = new Mending(this.#engine, scope, searched, this.#links, { gone, rows: all })
      this.#waiting.clear()
      return { scope, mending, gone, rows, next: 0 }
    } catch (error) {
      scope.free()
      throw error
    }
  }

  #endPass(): void {
    this.#pass?.scope.free()
    this.#pass = undefined
  }
}

interface Pass {
  readonly scope: Scope
  readonly mending: Mending
  readonly gone: readonly number[]
  /** Later rows have no links to those that are gone. */
  readonly rows: number
  next: number
}

type LinkPlace = Pick<RowLinks, 'pointer' | 'width'>

class Mending {
  readonly #engine: Engine
  readonly #width: number
  readonly #index: Slice<Uint32Array>
  readonly #mask: number
  readonly #scratch: number
  readonly #out: Slice<Uint32Array>

  /** `rows`: their numbers are below it, also those that are added before the end. */
  constructor(
    engine: Engine,
    scope: Scope,
    searched: Linked,
    links: LinkPlace,
    { gone, rows }: { readonly gone: Iterable<number>; readonly rows: number },
  ) {
    const { width } = links
    this.#engine = engine
    this.#width = width
    this.#index = scope.allocate(Uint32Array, searchedBlock.length)
    this.place(searched, links)
    this.#mask = placeMask(scope, rows, gone)
    const bytes = scratchBytes(engine, scope, this.#index.pointer, width * (width + 1))
    this.#scratch = scope.allocate(Uint8Array, bytes).pointer
    this.#out = scope.allocate(Uint32Array, rowsPerStep * width)
  }

  /** Where rows and links are now. */
  place(searched: Linked, links: LinkPlace): void {
    writeIndex(this.#index, searched, links)
  }

  /** The mended links of rows [from, to), good until the next ones. */
  mend(from: number, to: number): Uint32Array {
    const kernels = this.#engine.exactKernels(forestKernels)
    kernels.mendLinks(this.#scratch, this.#index.pointer, this.#mask, slack, this.#out.pointer, from, to)
    return this.#out.array.subarray(0, (to - from) * this.#width)
  }
}
