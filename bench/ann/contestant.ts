// What the neighbor benchmark asks of a contestant. Building and answering happen in different processes, through a file.

import type { DenseMatrix } from '@vicinal/core'

/** Options of a build or of a query, in the contestant's own words. */
export type Knobs = Readonly<Record<string, number | string>>

export interface Contestant {
  readonly name: string
  /** Built once per version and kept between runs. Ours change without a new version. */
  readonly keepsBuilds: boolean
  /** Undefined if it is not installed. */
  version(): string | undefined
  /** Builds over f32 rows; this is timed, the saving is not. */
  build(rows: DenseMatrix, knobs: Knobs): Promise<{ save(file: string): Promise<void> | void }>
  /** Loads what was saved, and tells how to ask it with some knobs. */
  open(file: string, queries: readonly Float32Array[], k: number): Promise<(knobs: Knobs) => Desk>
}

/** Answers queries one at a time and keeps the answers. */
export interface Desk {
  /** One call of the contestant: what is timed. */
  ask(query: number): void
  /** Row numbers of the last answer. */
  rows(query: number): number[]
}

/** Queries come in the form the search likes best; rows are taken out of answers after the timing. */
export function makeDesk<Query, Answer>(
  queries: readonly Query[],
  search: (query: Query) => Answer,
  rowsOf: (answer: Answer) => number[],
): Desk {
  const answers: Answer[] = new Array(queries.length)
  return {
    ask: query => {
      answers[query] = search(queries[query]!)
    },
    rows: query => rowsOf(answers[query]!),
  }
}
