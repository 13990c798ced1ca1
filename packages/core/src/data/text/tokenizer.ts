// Text → features: words, runs of words, runs of characters. Takes linear time for any text: a word of more than
// `maxTokenLength` code units is cut into pieces of that length, each a word of its own, so that nothing is lost and no
// feature is huge. Runs of scripts that put no spaces between words (Han, kana, Thai, Lao, Khmer, Myanmar) become
// overlapping pairs of characters, which need no dictionary and are the same on every machine. To search for single
// characters, also emit those (`singles`).

import { refusePromise } from '../../callback-answers.ts'
import { EngineError } from '../../errors.ts'
import { emoji, foldText, kindOf, letter, mark, separator, unspaced } from './character-kinds.ts'
import { findStemmer, type Stemmer } from './stemmer.ts'
import type { TextOptions } from './text-options.ts'

/** Longest word, in UTF-16 code units; a longer one is cut into pieces. */
export const maxTokenLength = 64

// Stemming costs some 16 µs a word, and words repeat: the stems of this many words are kept, then forgotten at once.
const maxKeptStems = 2 ** 17

export interface TokenizerOptions
  extends Required<Pick<TextOptions, 'stemmer' | 'wordGrams' | 'charGrams' | 'minLength' | 'stopWords'>> {
  /** Whether each emoji is a word. Default false: they are ignored. */
  readonly emoji?: boolean
}

type Emit = (feature: string) => void

/** Options come checked (see text-options.ts). */
export class Tokenizer {
  readonly #options: TokenizerOptions
  readonly #stemmer: Stemmer
  readonly #stops: ReadonlySet<string>
  readonly #stems = new Map<string, string>()
  // The last words of the text, as many as the longest run of words needs.
  readonly #window: string[] = []

  constructor(options: TokenizerOptions) {
    this.#options = options
    this.#stemmer = findStemmer(options.stemmer)
    this.#stops = new Set(options.stopWords.map(stopWord => this.#foldStopWord(stopWord)))
  }

  /** The features of `text`, in order, repeats included. */
  features(text: string): string[] {
    const features: string[] = []
    this.each(text, feature => features.push(feature))
    return features
  }

  /**
   * Calls `emit` with each feature in turn, without holding them all: a long text has several features per character. With `singles`, also
   * with the single characters of scripts without spaces.
   */
  each(text: string, emit: Emit, singles = false): void {
    this.#window.length = 0
    const visit: VisitWord = (word, kind, wholeLength) => {
      if (kind === emoji && !this.#options.emoji) return
      if (kind === letter && wholeLength < this.#options.minLength) return
      if (this.#stops.has(word)) return
      if (this.#options.wordGrams[1] > 0) this.#emitWordGrams(kind === letter ? this.#stem(word) : word, emit)
      if (this.#options.charGrams[1] > 0) emitCharGrams(word, this.#options.charGrams, emit)
    }
    eachWord(foldText(text), visit, singles)
  }

  #emitWordGrams(word: string, emit: Emit): void {
    const [from, to] = this.#options.wordGrams
    if (from === 1) emit(word)
    if (to === 1) return
    const window = this.#window
    window.push(word)
    if (window.length > to) window.shift()
    let gram = word
    for (let size = 2; size <= window.length; size++) {
      gram = `${window[window.length - size]} ${gram}`
      if (size >= from) emit(gram)
    }
  }

  #stem(word: string): string {
    if (this.#stemmer.name === 'none') return word
    let stem = this.#stems.get(word)
    if (stem === undefined) {
      // Some stemmers cut a one-letter word to nothing.
      stem = this.#stemmer.stem(word) || word
      refusePromise(stem, `the stemmer '${this.#stemmer.name}'`, 'Use a stemmer whose stem() returns a string.')
      if (this.#stems.size >= maxKeptStems) this.#stems.clear()
      this.#stems.set(word, stem)
    }
    return stem
  }

  /** A stop word must be one word to the tokenizer too, or it would never be met. */
  #foldStopWord(stopWord: string): string {
    const words: string[] = []
    eachWord(foldText(stopWord), (word, kind) => {
      if (kind !== emoji || this.#options.emoji) words.push(word)
    })
    if (words.length === 1) return words[0]
    const found = words.length === 0 ? 'no word' : `the ${words.length} words ${words.join(', ')}`
    throw new EngineError('INVALID_OPTION', `stopWords has '${stopWord}', which the tokenizer reads as ${found}`, {
      hint: 'Give one word per entry: "don\'t" counts as the words "don" and "t".',
    })
  }
}

type VisitWord = (word: string, kind: number, wholeLength: number) => void

/** Visits the words of folded text: runs of letters with their marks. Marks without a letter before them are symbols. */
function eachWord(text: string, visit: VisitWord, singles = false): void {
  let runKind = separator
  let start = 0
  let width = 1
  for (let i = 0; i < text.length; i += width) {
    const codePoint = text.codePointAt(i)! // i is inside the text
    width = codePoint < 0x10000 ? 1 : 2
    const kind = kindOf(codePoint)
    if (kind === runKind || kind === mark) continue
    visitRun(text, start, i, runKind, visit, singles)
    runKind = kind
    start = i
  }
  visitRun(text, start, text.length, runKind, visit, singles)
}

function visitRun(text: string, start: number, end: number, kind: number, visit: VisitWord, singles: boolean): void {
  if (kind === letter) visitPieces(text, start, end, visit)
  else if (kind === emoji) visitEmoji(text.slice(start, end), visit)
  else if (kind === unspaced) {
    visitPairs(text, start, end, visit)
    if (singles) visitSingles(text, start, end, visit)
  }
}

function visitPieces(text: string, start: number, end: number, visit: VisitWord): void {
  let from = start
  while (from < end) {
    let to = Math.min(from + maxTokenLength, end)
    if (to < end && isLowSurrogate(text.charCodeAt(to))) to--
    visit(text.slice(from, to), letter, end - start)
    from = to
  }
}

/** Overlapping pairs of characters, a character being a letter with its marks; a lone one stays itself. */
function visitPairs(text: string, start: number, end: number, visit: VisitWord): void {
  let first = start
  let second = characterEnd(text, start, end)
  if (second === end) visit(text.slice(start, end), unspaced, end - start)
  while (second < end) {
    const next = characterEnd(text, second, end)
    visit(text.slice(first, next), unspaced, end - start)
    first = second
    second = next
  }
}

/** The characters of a run of several: a lone one was visited as itself. */
function visitSingles(text: string, start: number, end: number, visit: VisitWord): void {
  if (characterEnd(text, start, end) === end) return
  for (let from = start, to = start; from < end; from = to) {
    to = characterEnd(text, from, end)
    visit(text.slice(from, to), unspaced, end - start)
  }
}

/** Each emoji; the two halves of a flag are one. Marks after them belong to none. */
function visitEmoji(run: string, visit: VisitWord): void {
  for (const [one] of run.matchAll(/\p{RI}{2}|[\p{ExtPict}\p{RI}]/gu)) visit(one, emoji, one.length)
}

/** Where the character at `start` ends: after its marks, or after half a token's length, so that pairs stay short. */
function characterEnd(text: string, start: number, end: number): number {
  const limit = Math.min(start + maxTokenLength / 2 - 1, end)
  let i = start
  do i += text.codePointAt(i)! < 0x10000 ? 1 : 2
  while (i < limit && kindOf(text.codePointAt(i)!) === mark)
  return i
}

/**
 * Runs of `from` to `to` characters of `<word>`, led by `~`: a name no word has, as words are letters and digits only.
 * A word shorter than `from` is one run.
 */
function emitCharGrams(word: string, [from, to]: readonly [number, number], emit: Emit): void {
  const bounded = `~<${word}>`
  const starts = codePointStarts(bounded)
  // starts[0] is the `~`, the last one the end.
  const length = starts.length - 2
  if (length < from) emit(bounded)
  for (let size = from; size <= Math.min(to, length); size++) {
    for (let i = 1; i + size < starts.length; i++) emit(`~${bounded.slice(starts[i], starts[i + size])}`)
  }
}

/** Where each code point starts, and the end: a run never cuts a surrogate pair. */
function codePointStarts(text: string): number[] {
  const starts: number[] = []
  for (let i = 0; i < text.length; i++) if (!isLowSurrogate(text.charCodeAt(i))) starts.push(i)
  starts.push(text.length)
  return starts
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000
}
