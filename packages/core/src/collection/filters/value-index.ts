// An index of one metadata name: the rows of each value, and the values in order. Rows of removed documents stay, for readers to skip, until
// rows are renumbered and it is rebuilt.

import type { Steps } from '../../long-work.ts'
import { firstFrom, SortedValues } from '../sorted-values.ts'
import { type Clause, eachPrimitive, fits, type Primitive } from './metadata-filter.ts'

const rowsPerStep = 64

export class ValueIndex {
  readonly #name: string
  readonly #rows = new Map<Primitive, number[]>()
  readonly #numbers = new SortedValues<number>()
  readonly #texts = new SortedValues<string>()
  /** Rows indexed so far. */
  #seen = 0

  constructor(name: string) {
    this.#name = name
  }

  /** Rows below it are indexed. */
  get seen(): number {
    return this.#seen
  }

  /** Takes in rows up to `end`; `metadataOf` is undefined for holes. Several calls may take turns. */
  *extend(end: number, metadataOf: (row: number) => object | undefined): Steps<void> {
    while (this.#seen < end) {
      const row = this.#seen++
      const metadata = metadataOf(row)
      if (metadata !== undefined && Object.hasOwn(metadata, this.#name)) {
        eachPrimitive(metadata[this.#name as keyof typeof metadata], member => this.#add(member, row)) // one of its names
      }
      if (row % rowsPerStep === 0) yield
    }
  }

  /**
   * Lists of rows that together contain every row that meets the clause. A row may be in several. Undefined if they are more than `most`: then
   * asking every document is faster.
   */
  listsFor(clause: Clause, most: number): readonly (readonly number[])[] | undefined {
    const values = clause.among ?? this.#within(clause, most)
    if (!values) return undefined
    const lists: number[][] = []
    for (const value of values) {
      const rows = fits(value, clause) ? this.#rows.get(value) : undefined
      if (rows) lists.push(rows)
    }
    return lists
  }

  #add(member: Primitive, row: number): void {
    const rows = this.#rows.get(member)
    if (rows) {
      // A list may have a value twice.
      if (rows.at(-1) !== row) rows.push(row)
      return
    }
    this.#rows.set(member, [row])
    if (typeof member === 'number') this.#numbers.add(member)
    else if (typeof member === 'string') this.#texts.add(member)
  }

  /** Values between the bounds, and perhaps some more; undefined if they are more than `most`. */
  #within({ condition: { gt, gte, lt, lte } }: Clause, most: number): Primitive[] | undefined {
    const isText = [gt, gte, lt, lte].some(bound => typeof bound === 'string')
    const [low, high] = [largest(gt, gte), smallest(lt, lte)]
    return isText
      ? between(this.#texts, low as string | undefined, high as string | undefined, most)
      : between(this.#numbers, low as number | undefined, high as number | undefined, most)
  }
}

function between<Value extends string | number>(
  { sorted, waiting }: SortedValues<Value>,
  least: Value | undefined,
  largest: Value | undefined,
  most: number,
): Value[] | undefined {
  const from = least === undefined ? 0 : firstFrom(sorted, least)
  const found: Value[] = []
  for (let i = from; i < sorted.length && !(largest !== undefined && sorted[i] > largest); i++) {
    if (found.length + waiting.length >= most) return undefined
    found.push(sorted[i])
  }
  return [...found, ...waiting]
}

function largest(a: string | number | undefined, b: string | number | undefined): string | number | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a
}

function smallest(a: string | number | undefined, b: string | number | undefined): string | number | undefined {
  return a === undefined || (b !== undefined && b < a) ? b : a
}
