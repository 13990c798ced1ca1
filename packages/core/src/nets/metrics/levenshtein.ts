// Edit distance over code points: letters to insert, delete or replace. Myers' idea: a column of the table of distances is kept as
// bits, one that says where it steps up and one where it steps down, so that 32 rows of the table are one addition. The first text's
// letters are made bit masks once, and compared with as many texts as wanted.

import type { Metric } from './metric.ts'

const wordBits = 32
/** Letters with a table of their own; masks of others are looked up. */
const commonLetters = 256

export const levenshtein: Metric<string> = Object.freeze({
  name: 'levenshtein',
  distance: (a: string, b: string) => editDistancesFrom(a)(b),
  from: editDistancesFrom,
})

/** 2d / (|a| + |b| + d), from 0 to 1: a metric too (Li and Liu, 2007), under which a letter matters less in a long text. */
export const levenshteinNormalized: Metric<string> = Object.freeze({
  name: 'levenshtein-normalized',
  distance: (a: string, b: string) => normalizedFrom(a)(b),
  from: normalizedFrom,
})

function normalizedFrom(a: string): (b: string) => number {
  const edits = editDistancesFrom(a)
  const length = lengthOf(a)
  return b => {
    const d = edits(b)
    return d === 0 ? 0 : (2 * d) / (length + lengthOf(b) + d)
  }
}

function editDistancesFrom(a: string): (b: string) => number {
  const letters = Array.from(a, letter => letter.codePointAt(0) as number) // a letter is never empty
  if (letters.length === 0) return lengthOf
  const words = Math.ceil(letters.length / wordBits)
  const masks = new Masks(letters, words)
  return words === 1 ? oneWord(masks, letters.length) : manyWords(masks, letters.length, words)
}

/** Where each letter occurs in the first text: bit i of word w for place 32 w + i. */
class Masks {
  readonly common: Int32Array
  readonly #rare = new Map<number, Int32Array>()
  readonly #none: Int32Array
  readonly #words: number

  constructor(letters: readonly number[], words: number) {
    this.#words = words
    this.common = new Int32Array(commonLetters * words)
    this.#none = new Int32Array(words)
    letters.forEach((letter, place) => {
      if (letter >= commonLetters && !this.#rare.has(letter)) this.#rare.set(letter, new Int32Array(words))
      this.of(letter)[place >>> 5] |= 1 << (place & 31)
    })
  }

  of(letter: number): Int32Array {
    if (letter >= commonLetters) return this.#rare.get(letter) ?? this.#none
    return this.common.subarray(letter * this.#words, (letter + 1) * this.#words)
  }
}

function oneWord(masks: Masks, length: number): (b: string) => number {
  const last = 1 << (length - 1)
  const { common } = masks
  return b => {
    let [up, down, distance] = [-1, 0, length]
    for (let i = 0; i < b.length; i++) {
      let letter = b.charCodeAt(i)
      if (isHighSurrogate(letter)) {
        letter = b.codePointAt(i) as number // i is within b
        if (letter > 0xffff) i++
      }
      const equal = letter < commonLetters ? common[letter] : masks.of(letter)[0]
      const across = (((equal & up) + up) ^ up) | equal
      const rises = down | ~(across | up)
      const falls = up & across
      if (rises & last) distance++
      else if (falls & last) distance--
      const risen = (rises << 1) | 1
      const vertical = equal | down
      up = (falls << 1) | ~(vertical | risen)
      down = risen & vertical
    }
    return distance
  }
}

/** The same, word by word from the top; what rises or falls out of a word comes into the next. */
function manyWords(masks: Masks, length: number, words: number): (b: string) => number {
  const [ups, downs] = [new Int32Array(words), new Int32Array(words)]
  const lastBit = 1 << ((length - 1) & 31)
  return b => {
    ups.fill(-1)
    downs.fill(0)
    let distance = length
    for (const character of b) {
      const mask = masks.of(character.codePointAt(0) as number) // a character is never empty
      let carry = 1
      for (let w = 0; w < words; w++) {
        const [up, down] = [ups[w], downs[w]]
        const vertical = mask[w] | down
        const equal = carry < 0 ? mask[w] | 1 : mask[w]
        const across = (((equal & up) + up) ^ up) | equal
        const rises = down | ~(across | up)
        const falls = up & across
        const out = w === words - 1 ? lastBit : 1 << 31
        const risen = (rises << 1) | (carry > 0 ? 1 : 0)
        ups[w] = (falls << 1) | (carry < 0 ? 1 : 0) | ~(vertical | risen)
        downs[w] = risen & vertical
        carry = rises & out ? 1 : falls & out ? -1 : 0
      }
      distance += carry
    }
    return distance
  }
}

/** In code points. */
function lengthOf(text: string): number {
  let length = 0
  for (let i = 0; i < text.length; i++, length++) {
    if (isHighSurrogate(text.charCodeAt(i)) && (text.codePointAt(i) as number) > 0xffff) i++ // i is within the text
  }
  return length
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800
}
