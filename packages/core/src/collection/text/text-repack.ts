// Closes the holes of removed rows while documents come and go: copies all lists without them, some postings at a time, and then repeats the
// changes that were made meanwhile.

import type { Arena } from '../../kernels/arena.ts'
import type { Steps } from '../../long-work.ts'
import type { Renumbering } from '../renumbering.ts'
import { type CountedTexts, TextLists } from './text-lists.ts'

/** A row that was added, or the words of one that was removed. */
interface Change {
  readonly added: number | undefined
  readonly texts: CountedTexts
}

export class TextRepack {
  /** Its rows have their new numbers. Complete when all steps are taken. */
  readonly lists: TextLists
  readonly #rows: Renumbering
  readonly #steps: Steps<void>
  readonly #changes: Change[] = []

  /** `stepPostings` are copied in a step. */
  constructor(arena: Arena, old: TextLists, rows: Renumbering, stepPostings: number) {
    this.#rows = rows
    this.lists = new TextLists(arena)
    this.#steps = this.#copy(old, stepPostings)
    this.#steps.next() // it begins with what changes
  }

  added(row: number, texts: CountedTexts): void {
    this.#changes.push({ added: row, texts })
  }

  removed(texts: CountedTexts): void {
    this.#changes.push({ added: undefined, texts })
  }

  /** Takes a step. Returns whether the lists are complete. It may run out of memory: then free it. */
  step(): boolean {
    return this.#steps.next().done === true
  }

  free(): void {
    this.lists.free()
  }

  *#copy(old: TextLists, stepPostings: number): Steps<void> {
    const { lists } = this
    const fields = Array.from(old.fields, ([name, field]) => ({ name, field, statistics: field.statistics }))
    lists.restored(this.#rows.kept)
    yield
    for (const { name, field, statistics } of fields) {
      const renewed = lists.field(name)
      if (statistics.documents === 0) continue
      yield* renewed.copy(lists.pool, { field, pool: old.pool, statistics }, this.#rows, stepPostings)
    }
    // The list may grow between the steps.
    for (let i = 0; i < this.#changes.length; i++) {
      this.#repeat(this.#changes[i])
      yield
    }
  }

  #repeat({ added, texts }: Change): void {
    if (added === undefined) this.lists.remove(texts)
    else {
      const row = this.#rows.of(added)
      this.lists.reserve(row, texts)
      this.lists.add(row, texts)
    }
  }
}
