// Limits for what readers make: a few bytes in a file can ask for more memory than there is. Anything larger is refused before
// memory is allocated for it.

import { EngineError, type Place } from '../errors.ts'

/** Features of a row. Methods keep some numbers for each, used or not. */
export const maxFeatures = 2 ** 27
/** Labels of a data set, and names in general: what one Map can hold in V8. */
export const maxLabels = 2 ** 24 - 1
/** Cells of a table's row. */
export const maxCells = 2 ** 22
/** Bad rows left out: more of them mean another format. */
export const maxSkipped = 2 ** 20

/** Refuses more than `most` of something before they are made; `what` is in the plural. */
export function checkCount(what: string, count: number, most: number, where?: Place): void {
  if (count <= most) return
  throw new EngineError('BAD_DATA', `found ${count} ${what}, at most ${most} can be read`, {
    ...(where && { where }),
    hint: 'Is the file damaged, or of another format?',
  })
}

/** A word of the file for messages: its beginning, if it is long. */
export function shorten(word: string, most = 40): string {
  return word.length > most ? `${word.slice(0, most)}…` : word
}
