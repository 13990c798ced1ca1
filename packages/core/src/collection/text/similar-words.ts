// Finds words within a few edits of another one. Words are grouped by first letter and length, and each has a set of its letters, one bit
// per letter. An edit changes the length by at most one and takes at most one letter out of the set, so comparing lengths and sets leaves
// few words whose edits must be counted.

import { editsWithin } from './edits.ts'

/** Words of the same first letter and length. */
interface Group {
  readonly words: string[]
  readonly letters: number[]
}

/** Letters share a bit if their codes are equal modulo this: as many bits as V8 keeps in a small integer. */
const letterBits = 30

export class SimilarWords {
  /** By first letter, then by length. */
  readonly #groups = new Map<string, (Group | undefined)[]>()

  constructor(words: Iterable<string> = []) {
    for (const word of words) this.add(word)
  }

  /** A word that is not there yet. */
  add(word: string): void {
    const first = firstLetter(word)
    const byLength = this.#groups.get(first) ?? []
    this.#groups.set(first, byLength)
    let group = byLength[word.length]
    if (!group) {
      group = { words: [], letters: [] }
      byLength[word.length] = group
    }
    group.words.push(word)
    group.letters.push(lettersOf(word))
  }

  /** Calls `visit` with every other word at most `most` edits away that has the same first letter. */
  near(word: string, most: number, visit: (word: string, edits: number) => void): void {
    const byLength = this.#groups.get(firstLetter(word)) ?? []
    for (let length = word.length - most; length <= word.length + most; length++) {
      const group = byLength[length]
      if (group) nearIn(group, length, word, most, visit)
    }
  }
}

function nearIn(
  { words, letters }: Group,
  length: number,
  word: string,
  most: number,
  visit: (word: string, edits: number) => void,
): void {
  const own = lettersOf(word)
  // Edits that only insert letters take none away, and the reverse.
  const [mostLost, mostGained] = [most - Math.max(0, length - word.length), most - Math.max(0, word.length - length)]
  for (let i = 0; i < words.length; i++) {
    if (countBits(own & ~letters[i]) > mostLost || countBits(letters[i] & ~own) > mostGained) continue
    const edits = editsWithin(word, words[i], most)
    if (edits > 0 && edits <= most) visit(words[i], edits)
  }
}

function firstLetter(word: string): string {
  return String.fromCodePoint(word.codePointAt(0) ?? 0)
}

function lettersOf(word: string): number {
  let letters = 0
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) % letterBits)
  return letters
}

function countBits(set: number): number {
  let count = set - ((set >>> 1) & 0x55555555)
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333)
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}
