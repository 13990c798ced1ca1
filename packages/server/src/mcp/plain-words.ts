// Reduces a question to its content words. Agents ask in whole sentences, and memories are found by the words they share with the question: words such as
// "which", "do" and "in" would find memories about anything.

import { functionWordsFor } from './function-words.ts'

const articles = new Set(['a', 'an', 'the'])

/** The question without the function words of its language; the question itself if it has no others. */
export function askedAbout(question: string): string {
  // As keys are read: "l'école" is two words, and "est-il".
  const words =
    question
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const left = functionWordsFor(words)
  return words.filter(word => !left.has(word)).join(' ') || question
}

/** The same for texts that differ only in case, punctuation around words, and articles. */
export function saidBy(text: string): string {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .map(word => word.replace(/^["'“‘(]+|["'”’).,;:!?。！？，]+$/g, ''))
  return words.filter(word => word !== '' && !articles.has(word)).join(' ') || text
}
