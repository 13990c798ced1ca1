// Turns what was typed into an item for the model.

import type { Item } from '../backend/answers.ts'

/** A text, or the numbers in it if the model labels vectors. Undefined if there is nothing to ask about. */
export function itemOf(typed: string, takesTexts: boolean): Item | undefined {
  if (typed.trim() === '') return undefined
  if (takesTexts) return { text: typed }
  const vector = numbersOf(typed)
  return vector && { vector }
}

/** '[1, 2.5 3]' → [1, 2.5, 3]; undefined if something in it is not a number. */
export function numbersOf(typed: string): number[] | undefined {
  const parts = typed
    .replace(/[[\]]/g, ' ')
    .split(/[\s,;]+/)
    .filter(part => part !== '')
  const numbers = parts.map(Number)
  return numbers.length > 0 && numbers.every(Number.isFinite) ? numbers : undefined
}
