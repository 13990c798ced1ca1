// The checks all matrices share at their door.

import { EngineError } from '../errors.ts'

/** What one typed array, and one WASM memory, can hold at most: 4 GiB of 4-byte numbers. */
export const maxEntries = 2 ** 30

export function checkSize(name: string, rows: number, columns: number): void {
  for (const [word, size] of [
    ['rows', rows],
    ['columns', columns],
  ] as const) {
    if (!Number.isSafeInteger(size) || size < 0) {
      throw new EngineError('INVALID_OPTION', `${name}: ${word} is ${size}, expected a whole number of at least 0`)
    }
  }
}

export function checkRow(row: number, rows: number): void {
  if (!Number.isInteger(row) || row < 0 || row >= rows) {
    throw new EngineError('INVALID_OPTION', `row ${row} does not exist: rows go from 0 to ${rows - 1}`)
  }
}

export function checkRange(from: number, to: number, rows: number): void {
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to < from || to > rows) {
    throw new EngineError('INVALID_OPTION', `rows [${from}, ${to}) do not exist: rows go from 0 to ${rows - 1}`)
  }
}

/** What `make` allocates; a platform that has no room for it throws a RangeError of its own. */
export function allocate<T>(name: string, make: () => T): T {
  try {
    return make()
  } catch (cause) {
    throw new EngineError('OUT_OF_MEMORY', `there is not enough memory for ${name}`, {
      cause,
      hint: 'Split the rows into several shards.',
    })
  }
}

/** Refuses, before anything is allocated, what no single memory can hold. */
export function checkEntries(name: string, entries: number): void {
  if (entries > maxEntries) {
    throw new EngineError(
      'OUT_OF_MEMORY',
      `${name} with ${entries} entries does not fit one memory (at most ${maxEntries})`,
      {
        hint: 'Split the rows into several shards.',
      },
    )
  }
}
