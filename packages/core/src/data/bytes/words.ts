// Words in bytes: what is between blanks (spaces and tabs).

const [tab, space] = [9, 32]
export const [comma, colon] = [44, 58] as const

export function isBlank(byte: number): boolean {
  return byte === space || byte === tab
}

/** Where the next word in [at, end) begins, or `end`. */
export function wordStart(bytes: Uint8Array, at: number, end: number): number {
  let start = at
  while (start < end && isBlank(bytes[start])) start++
  return start
}

/** Where the word that begins at `at` ends: the first blank, or `end`. */
export function wordEnd(bytes: Uint8Array, at: number, end: number): number {
  let stop = at
  while (stop < end && !isBlank(bytes[stop])) stop++
  return stop
}

/** Where `byte` first occurs in [start, end), or `end`. */
export function findByte(bytes: Uint8Array, byte: number, start: number, end: number): number {
  let at = start
  while (at < end && bytes[at] !== byte) at++
  return at
}
