// What runs in every runtime of bench/ann-browser.ts, in Node and in pages: loads the saved index and answers the queries.

import type { ForestIndex } from '@vicinal/core'
import { type Knobs, makeDesk } from './contestant.ts'
import { askAll, type Turns } from './turns.ts'

export interface Asked {
  /** All queries, one after the other. */
  readonly numbers: Float32Array
  readonly columns: number
  readonly k: number
  readonly settings: readonly Knobs[]
}

export interface Answered {
  /** One for each setting. */
  readonly turns: Turns[]
  /** Whether the index is in memory that threads can share. */
  readonly shared: boolean
  /** Whether the runtime can run relaxed SIMD. */
  readonly relaxed: boolean
}

/** A module with one function, `i32x4.relaxed_trunc_f32x4_s` of zeros: valid where relaxed SIMD is known. */
// biome-ignore format: one line per section
const relaxedModule = [
  0, 97, 115, 109, 1, 0, 0, 0,
  1, 5, 1, 96, 0, 1, 123,
  3, 2, 1, 0,
  10, 11, 1, 9, 0, 65, 0, 253, 15, 253, 129, 2, 11,
]

export function answerAll(index: ForestIndex, { numbers, columns, k, settings }: Asked): Answered {
  const queries = Array.from({ length: numbers.length / columns }, (_, i) =>
    numbers.slice(i * columns, (i + 1) * columns),
  )
  const turns = settings.map(knobs => {
    const options = { k, ...knobs }
    const search = (query: Float32Array) => index.search(query, options)
    const desk = makeDesk(queries, search, neighbors => neighbors.map(({ id }) => Number(id)))
    return askAll(desk, queries.length)
  })
  return { turns, shared: isShared(), relaxed: WebAssembly.validate(Uint8Array.from(relaxedModule)) }
}

/** Pages may share memory if they are isolated from other origins, Node always. */
function isShared(): boolean {
  return (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated ?? true
}
