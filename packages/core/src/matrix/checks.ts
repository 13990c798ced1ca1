// Checks of arguments that all matrices share.

import { EngineError, shown } from '../errors.ts'
import { refuse } from '../options.ts'

/** What one typed array, and one WASM memory, can hold at most: 4 GiB of 4-byte numbers. */
export const maxEntries = 2 ** 30

export function checkSize(name: string, rows: number, columns: number): void {
  for (const [word, size] of [
    ['rows', rows],
    ['columns', columns],
  ] as const) {
    if (!Number.isSafeInteger(size) || size < 0) {
      throw new EngineError(
        'INVALID_OPTION',
        `${name}: ${word} is ${shown(size)}, expected a whole number of at least 0`,
      )
    }
  }
}

/** For indexes that are to be fitted on nothing. */
export function checkSomeRows(rows: number): void {
  if (rows > 0) return
  throw new EngineError('EMPTY_DATA', 'there are no rows to index', {
    hint: 'Fit the index when you have the first row, then add the others. A Collection can start empty.',
  })
}

export function checkRow(row: number, rows: number): void {
  if (!Number.isInteger(row) || row < 0 || row >= rows) {
    throw new EngineError('INVALID_OPTION', `row ${shown(row)} does not exist: rows go from 0 to ${rows - 1}`)
  }
}

export function checkRange(from: number, to: number, rows: number): void {
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to < from || to > rows) {
    throw new EngineError(
      'INVALID_OPTION',
      `rows [${shown(from)}, ${shown(to)}) do not exist: rows go from 0 to ${rows - 1}`,
    )
  }
}

/** Refuses an argument that is not a list. */
export function checkList(name: string, value: unknown, expected: string): void {
  if (!Array.isArray(value)) refuse(name, value, expected)
}

/** Refuses an argument that is not of our class. */
export function checkInstance<T>(name: string, value: unknown, type: abstract new (...args: never[]) => T): void {
  if (!(value instanceof type)) refuse(name, value, `a ${type.name}`)
}

/** Refuses an argument that is not one of these typed arrays. */
export function checkNumbers(name: string, value: unknown, types: readonly (new (length: number) => unknown)[]): void {
  if (ArrayBuffer.isView(value) && types.some(type => value instanceof type)) return
  refuse(name, value, `a ${types.map(type => type.name).join(', ')}`.replace(/, (\w+)$/, ' or $1'))
}

/** Calls `make`, which allocates; turns the platform's RangeError into OUT_OF_MEMORY. */
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

/** Refuses sizes that do not fit in one memory, before anything is allocated. */
export function checkEntries(name: string, entries: number): void {
  if (entries > maxEntries) {
    throw new EngineError(
      'OUT_OF_MEMORY',
      `${name} with ${entries} entries does not fit in one memory (at most ${maxEntries})`,
      {
        hint: 'Split the rows into several shards.',
      },
    )
  }
}

/** What is wrong with an index that is not above the one before it: it is repeated, or out of order. */
export function orderFault(what: string, index: number, before: number): string {
  if (index === before) return `has ${what} ${index} twice, expected it once`
  return `has ${what} ${index} after ${before}, expected ascending`
}
