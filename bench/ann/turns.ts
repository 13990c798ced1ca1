// How one query setting is timed, in Node and in a page alike: all queries one after the other by one clock, as browsers round theirs.

import type { Desk } from './contestant.ts'

export interface Turns {
  /** Microseconds per query, each turn. */
  readonly micros: readonly number[]
  /** The row numbers found, a list for each query. */
  readonly rows: number[][]
}

const turns = 2

export function askAll(desk: Desk, queries: number): Turns {
  for (let i = 0; i < queries; i += 10) desk.ask(i) // to warm up
  const micros = Array.from({ length: turns }, () => {
    const begin = performance.now()
    for (let i = 0; i < queries; i++) desk.ask(i)
    return ((performance.now() - begin) / queries) * 1000
  })
  return { micros, rows: Array.from({ length: queries }, (_, i) => desk.rows(i)) }
}
