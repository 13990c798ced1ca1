// Ids in paths and command lines are words; a stored id may be a number.

import type { Id } from '@vicinal/core'
import { NotFound } from './not-found.ts'

/** The stored id that a word means: the text, or else the number. */
export function knownId(word: string, stored: { has(id: Id): boolean }, missing: string): Id {
  const number = Number(word)
  const ids: Id[] = word.trim() !== '' && Number.isFinite(number) ? [word, number] : [word]
  const found = ids.find(id => stored.has(id))
  if (found === undefined) throw new NotFound(`${missing} ${JSON.stringify(word)}`)
  return found
}
