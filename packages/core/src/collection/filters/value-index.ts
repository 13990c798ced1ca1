// An index of one metadata name: the rows of each value, and the values in order. Built when a filter first uses the name, then updated as
// documents are added. Rows of removed documents stay, for readers to skip, until rows are renumbered and it is rebuilt.

import { firstFrom, SortedValues } from '../sorted-values.ts'
import { type Clause, fits, type Primitive, primitivesOf } from './metadata-filter.ts'

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

  /** Takes in rows up to `end`; `metadataOf` is undefined for holes. */
  extend(end: number, metadataOf: (row: number) => object | undefined): void {
    for (let row = this.#seen; row < end; row++) {
      const metadata = metadataOf(row)
      if (metadata === undefined || !Object.hasOwn(metadata, this.#name)) continue
      const value: unknown = metadata[this.#name as keyof typeof metadata] // one of its names
      for (const member of new Set(primitivesOf(value))) this.#add(member, row)
    }
    this.#seen = end
  }

  /** Ascending lists of rows that together contain every row that meets the clause. A row may be in several. */
  listsFor(clause: Clause): readonly (readonly number[])[] {
    const values = clause.among ?? this.#within(clause)
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
      rows.push(row)
      return
    }
    this.#rows.set(member, [row])
    if (typeof member === 'number') this.#numbers.add(member)
    else if (typeof member === 'string') this.#texts.add(member)
  }

  /** Values between the bounds, and perhaps some more. */
  #within({ condition: { gt, gte, lt, lte } }: Clause): Primitive[] {
    const isText = [gt, gte, lt, lte].some(bound => typeof bound === 'string')
    return isText
      ? between(this.#texts, largest(gt, gte) as string | undefined, smallest(lt, lte) as string | undefined)
      : between(this.#numbers, largest(gt, gte) as number | undefined, smallest(lt, lte) as number | undefined)
  }
}

function between<Value extends string | number>(
  values: SortedValues<Value>,
  least: Value | undefined,
  most: Value | undefined,
): Value[] {
  const { sorted, waiting } = values
  const found: Value[] = []
  for (let i = least === undefined ? 0 : firstFrom(sorted, least); i < sorted.length; i++) {
    if (most !== undefined && sorted[i] > most) break
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
