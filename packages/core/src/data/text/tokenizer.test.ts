import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EngineError } from '../../errors.ts'
import { registerStemmer } from './stemmer.ts'
import { resolveTextOptions, type TextOptions } from './text-options.ts'
import { maxTokenLength, Tokenizer } from './tokenizer.ts'

function featuresOf(text: string, options: TextOptions = {}): string[] {
  return new Tokenizer(resolveTextOptions(options)).features(text)
}

registerStemmer({ name: 'test-plural', stem: word => word.replace(/s$/, '') })

describe('Tokenizer', () => {
  it('cuts text into lower-case runs of letters and digits', () => {
    expect(featuresOf('The Baltic Sea, 1945–2020: a (short) history')).toEqual([
      'the',
      'baltic',
      'sea',
      '1945',
      '2020',
      'a',
      'short',
      'history',
    ])
  })

  it('finds no features in empty text, punctuation and emoji', () => {
    for (const text of ['', ' \n', '…?!', '😀👍🏽', '❤️‍🔥', '🇫🇮', '\u0301']) expect(featuresOf(text)).toEqual([])
  })

  it('takes composed and decomposed letters, wide letters and ligatures for the same', () => {
    expect(featuresOf('cafe\u0301')).toEqual(['caf\u00e9'])
    expect(featuresOf('CAF\u00c9')).toEqual(['caf\u00e9'])
    expect(featuresOf('Ｆｕｌｌ ﬁsh')).toEqual(['full', 'fish'])
  })

  it('keeps words whole across soft hyphens and marks', () => {
    expect(featuresOf('hyphen\u00adation')).toEqual(['hyphenation'])
    expect(featuresOf('हिन्दी')).toEqual(['हिन्दी'])
  })

  it('takes words with and without Arabic vowel signs, Hebrew or Syriac points for the same', () => {
    expect(featuresOf('كِتَابٌ')).toEqual(featuresOf('كتاب'))
    expect(featuresOf('كـــتاب')).toEqual(['كتاب'])
    expect(featuresOf('שָׁלוֹם')).toEqual(['שלום'])
    expect(featuresOf('\ufb2a\u05b8לום')).toEqual(['שלום']) // shin with its dot in one character
    expect(featuresOf('ܫܠܳܡܳܐ')).toEqual(['ܫܠܡܐ'])
    // Hamza and madda belong to the letter.
    expect(featuresOf('آل')).not.toEqual(featuresOf('ال'))
    expect(featuresOf('سؤال')).toEqual(['سؤال'])
  })

  it('lowers case by no language’s special rules', () => {
    expect(featuresOf('TITLE İstanbul ΟΔΟΣ')).toEqual(['title', 'i\u0307stanbul', 'οδος'])
  })

  it('turns runs of scripts without spaces into overlapping pairs of characters', () => {
    expect(featuresOf('東京大学')).toEqual(['東京', '京大', '大学'])
    expect(featuresOf('水')).toEqual(['水'])
    expect(featuresOf('スキー')).toEqual(['スキ', 'キー'])
    expect(featuresOf('iPhoneの使い方 2')).toEqual(['iphone', 'の使', '使い', 'い方', '2'])
    expect(featuresOf('𠀀𠀁𠀂')).toEqual(['𠀀𠀁', '𠀁𠀂'])
  })

  it('adds the single characters of such scripts, if asked', () => {
    const features: string[] = []
    const add = (feature: string) => features.push(feature)
    const tokenizer = new Tokenizer(resolveTextOptions({}))
    for (const text of ['東京', '水', 'ที่นี่', 'ab 𠀀𠀁']) tokenizer.each(text, add, true)
    expect(features).toEqual(['東京', '東', '京', '水', 'ที่นี่', 'ที่', 'นี่', 'ab', '𠀀𠀁', '𠀀', '𠀁'])
  })

  it('takes each emoji as a word, if asked: without skin color, a flag as one', () => {
    const tokenizer = new Tokenizer({ ...resolveTextOptions({}), stopWords: ['😀'], emoji: true })
    expect(tokenizer.features('😀👍🏽ok❤️‍🔥 🇫🇮🇯🇵 1️⃣ ☎')).toEqual(['👍', 'ok', '❤', '🔥', '🇫🇮', '🇯🇵', '1⃣', '☎'])
  })

  it('keeps a character and its marks together in Thai, Lao, Khmer and Myanmar', () => {
    expect(featuresOf('ที่นี่')).toEqual(['ที่นี่'])
    expect(featuresOf('กินข้าว')).toEqual(['กิน', 'นข้', 'ข้า', 'าว'])
    expect(featuresOf('ພາສາ')).toEqual(['ພາ', 'າສ', 'ສາ'])
    expect(featuresOf('ខ្មែរ')).toEqual(['ខ្មែ', 'មែរ'])
    expect(featuresOf('မြန်မာ')).toEqual(['မြန်', 'န်မာ'])
  })

  it('takes Korean, which has spaces, as words', () => {
    expect(featuresOf('한국어 책')).toEqual(['한국어', '책'])
  })

  it('leaves out short words and stop words, before stemming', () => {
    expect(featuresOf('I am at the seas', { minLength: 2 })).toEqual(['am', 'at', 'the', 'seas'])
    expect(featuresOf('The seas of THE sea', { stopWords: ['the', 'SEA'], stemmer: 'test-plural' })).toEqual([
      'sea',
      'of',
    ])
    expect(featuresOf('我', { minLength: 2 })).toEqual(['我'])
  })

  it('refuses a stop word that is not one word', () => {
    expect(() => featuresOf('x', { stopWords: ["don't"] })).toThrow(
      /'don't', which the tokenizer reads as the 2 words don, t/,
    )
    expect(() => featuresOf('x', { stopWords: ['!'] })).toThrow(/no word/)
  })

  it('stems words, and keeps a word whose stem would be empty', () => {
    expect(featuresOf('cats s', { stemmer: 'test-plural' })).toEqual(['cat', 's'])
  })

  it('names the known stemmers when asked for an unknown one', () => {
    const attempt = (): unknown => featuresOf('x', { stemmer: 'klingon' })
    expect(attempt).toThrow(EngineError)
    expect(attempt).toThrow(/stemmer is 'klingon', expected one of none, test-plural/)
  })

  it('makes runs of words', () => {
    expect(featuresOf('a b c', { wordGrams: [1, 2] })).toEqual(['a', 'b', 'a b', 'c', 'b c'])
    expect(featuresOf('a b c d', { wordGrams: [2, 3] })).toEqual(['a b', 'b c', 'a b c', 'c d', 'b c d'])
    expect(featuresOf('a', { wordGrams: [2, 2] })).toEqual([])
  })

  it('restarts runs of words with each text', () => {
    const tokenizer = new Tokenizer(resolveTextOptions({ wordGrams: [2, 2] }))
    expect(tokenizer.features('a b')).toEqual(['a b'])
    expect(tokenizer.features('c d')).toEqual(['c d'])
  })

  it('makes runs of characters that see the ends of the word', () => {
    const wordGrams = [0, 0] as const
    expect(featuresOf('cats', { wordGrams, charGrams: [3, 4] })).toEqual([
      '~<ca',
      '~cat',
      '~ats',
      '~ts>',
      '~<cat',
      '~cats',
      '~ats>',
    ])
    expect(featuresOf('a bc', { wordGrams, charGrams: [4, 5] })).toEqual(['~<a>', '~<bc>'])
    expect(featuresOf('𞤀𞤁', { wordGrams, charGrams: [3, 3] })).toEqual(['~<𞤢𞤣', '~𞤢𞤣>'])
  })

  it('cuts a long word into pieces and loses nothing', () => {
    const word = 'abcdefghij'.repeat(20)
    const pieces = featuresOf(word)
    expect(pieces.map(piece => piece.length)).toEqual([64, 64, 64, 8])
    expect(pieces.join('')).toBe(word)
    expect(featuresOf(`a${'𞤢'.repeat(40)}`).map(piece => piece.length)).toEqual([63, 18])
  })

  it.each([
    ['letters', 'a'.repeat(1e6)],
    ['Han', '漢字'.repeat(5e5)],
    ['marks that must be reordered', `a${'\u0301\u0316'.repeat(5e5)}`],
    ['half-width kana signs between marks', `a${'\u0301\uff9e'.repeat(5e5)}`],
    ['marks on a Thai letter', `ก${'\u0e34\u0e48'.repeat(5e5)}`],
  ])('reads a megabyte of %s without spaces in less than a second', (_, text) => {
    let features = 0
    // Processor time and not the clock's: other programs may be running.
    const start = process.cpuUsage()
    new Tokenizer(resolveTextOptions({})).each(text, () => features++)
    expect(process.cpuUsage(start).user).toBeLessThan(1e6)
    expect(features).toBeGreaterThanOrEqual(1e6 / maxTokenLength)
  })

  it('gives features of bounded length for any text', () => {
    const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map(code => String.fromCodePoint(code))
    const likely = fc.constantFrom('a', 'É', '漢', 'ก', '\u0e34', '\u0301', '𠀀', '𞤢', ' ', '😀', '\ud800', '-')
    const text = fc.array(fc.oneof(anyCharacter, likely), { maxLength: 300 }).map(parts => parts.join(''))
    fc.assert(
      fc.property(text, given => {
        for (const word of featuresOf(given)) {
          expect(word).toMatch(/^[\p{L}\p{M}\p{N}]+$/u)
          expect(word.length).toBeLessThanOrEqual(maxTokenLength)
        }
      }),
    )
  })

  it('agrees with a plain pattern on text in scripts with spaces', () => {
    const letters = fc.constantFrom('a', 'B', 'é', 'e\u0301', 'Ж', '7', 'ß', ' ', '.', '’', '\n')
    fc.assert(
      fc.property(
        fc.array(letters, { maxLength: 60 }).map(parts => parts.join('')),
        text => {
          const words =
            text
              .normalize('NFKC')
              .toLowerCase()
              .match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []
          expect(featuresOf(text)).toEqual([...words])
        },
      ),
    )
  })
})
