// Closes the holes of removed documents when there are many: rows get new numbers, and posting lists are copied without the removed rows. That takes
// long, so a part of it is done with each change, and the rest in the background. If memory runs out, the holes stay until there are twice as many.

import { isOutOfMemory } from '../kernels/collection.ts'
import { inTurns, type LongWork, type Steps, shortTurn } from '../long-work.ts'
import type { ListMask } from '../search/filters/list-mask.ts'
import type { RowMasks } from '../search/filters/row-masks.ts'
import type { DocumentTable } from './document-table.ts'
import type { Renumbering } from './renumbering.ts'
import type { TextIndex } from './text/text-index.ts'

export interface HoleLimits {
  /** Holes are closed when there are more than this, */
  readonly fewest: number
  /** and they are more than this share of the rows. */
  readonly share: number
  /** Postings copied in a step. */
  readonly stepPostings: number
  /** Steps with each change, at least. A replaced document is repeated in two. */
  readonly changeSteps: number
}

const usualLimits: HoleLimits = { fewest: 1024, share: 0.25, stepPostings: 1024, changeSteps: 4 }
/** All is done before there are this share more holes, even if nothing runs in the background. */
const slack = 0.25

/** The owner of the rows. */
export interface NumberedParts<Metadata extends object> {
  readonly table: DocumentTable<Metadata>
  readonly text: TextIndex
  readonly masks: RowMasks
  readonly listMask: ListMask
}

export class HoleCloser<Metadata extends object> {
  readonly #parts: NumberedParts<Metadata>
  readonly #limits: HoleLimits
  /** The numbers that rows will have when the present work is done; undefined without any. */
  #rows: Renumbering | undefined
  #stepsPerChange = 0
  /** Number of holes left because there was no memory to close them. */
  #mostHoles = 0
  /** Why the last work was not done. */
  #failure: unknown
  #background: Promise<void> | undefined

  constructor(parts: NumberedParts<Metadata>, limits = usualLimits) {
    this.#parts = parts
    this.#limits = limits
  }

  /** A document was added, replaced or removed. */
  changed(): void {
    const { rows, live } = this.#parts.table
    const isWorn = rows - live > Math.max(this.#limits.fewest, this.#limits.share * rows, this.#mostHoles)
    if (isWorn && live === 0) this.#closeNow()
    else if (this.#rows) this.#take(this.#stepsPerChange)
    else if (isWorn) {
      this.#begin()
      this.#background ??= this.#run()
    }
  }

  /** Gives back the memory of work that is not done. Returns whether there was any. */
  abandon(): boolean {
    const isWorking = this.#rows !== undefined
    this.#parts.text.abandonRepack()
    this.#rows = undefined
    return isWorking
  }

  /** Closes the holes that there are now. Throws if memory runs out. */
  async close(work: LongWork): Promise<void> {
    if (this.#rows) await inTurns(this.#steps(), work)
    if (this.#holes === 0) return
    if (!this.#rows) this.#begin()
    await inTurns(this.#steps(), work)
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Waits for the work in the background. */
  async settled(): Promise<void> {
    while (this.#background) await this.#background
  }

  get #holes(): number {
    return this.#parts.table.rows - this.#parts.table.live
  }

  #begin(): void {
    const { table, text } = this.#parts
    const { stepPostings, changeSteps } = this.#limits
    const rows = table.withoutHoles()
    this.#failure = undefined
    this.#stepsPerChange = Math.max(changeSteps, Math.ceil(text.repackSteps(stepPostings) / (slack * this.#holes)))
    this.#tidily(() => {
      text.beginRepack(rows, stepPostings)
      this.#rows = rows
    })
  }

  /** Without documents there is nothing to copy. */
  #closeNow(): void {
    this.abandon()
    this.#begin()
    this.#take(Number.POSITIVE_INFINITY)
  }

  #take(steps: number): void {
    this.#tidily(() => {
      for (let i = 0; i < steps && this.#rows; i++) if (this.#parts.text.stepRepack()) this.#finish(this.#rows)
    })
  }

  /** One step at a time, until the work is done, here or elsewhere. */
  *#steps(): Steps<void> {
    const rows = this.#rows
    while (rows && this.#rows === rows) {
      this.#take(1)
      yield
    }
  }

  async #run(): Promise<void> {
    try {
      await undefined // the change that began the work returns first
      while (this.#rows) await inTurns(this.#steps(), {}, { turnMillis: shortTurn })
    } finally {
      this.#background = undefined
    }
  }

  #finish(rows: Renumbering): void {
    const { table, masks, listMask } = this.#parts
    table.renumber(rows)
    masks.reset()
    listMask.free()
    for (let row = 0; row < table.rows; row++) if (!table.at(row)) masks.remove(row)
    this.#rows = undefined
    this.#mostHoles = 0
  }

  #tidily(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.abandon()
      if (!isOutOfMemory(error)) throw error
      this.#failure = error
      this.#mostHoles = 2 * this.#holes
    }
  }
}
