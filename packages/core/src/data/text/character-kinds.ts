// What a character is to the tokenizer, and the form in which the tokenizer sees a text.
// Kinds come from Unicode properties, so they are the same on every machine but for characters that a newer Unicode
// version added. Never `Intl.Segmenter`: its word breaks come from dictionaries that change with the ICU version.

/** None of the below: white space, punctuation, symbols. */
export const separator = 1
/** A letter or digit of a script that puts spaces between words. */
export const letter = 2
/** A combining mark: belongs to the character before it. */
export const mark = 3
/** A letter or digit of a script without spaces between words. */
export const unspaced = 4
/** An emoji, without skin color and joiners, or half of a flag. */
export const emoji = 5

const letterPattern = /^[\p{L}\p{N}]$/u
const markPattern = /^\p{M}$/u
// Script extensions and not scripts: they include what scripts share, such as the long vowel sign of both kana.
const unspacedPattern = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]$/u

const emojiPattern = /^[\p{ExtPict}\p{RI}]$/u

// Kinds of the Basic Multilingual Plane, found when first asked for; 0 is "not yet".
const known = new Uint8Array(2 ** 16)

/** One of the kinds above. */
export function kindOf(codePoint: number): number {
  if (codePoint >= known.length) return classify(codePoint)
  if (known[codePoint] === 0) known[codePoint] = classify(codePoint)
  return known[codePoint]
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint)
  if (markPattern.test(character)) return mark
  if (!letterPattern.test(character)) return emojiPattern.test(character) ? emoji : separator
  return unspacedPattern.test(character) ? unspaced : letter
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: this is the ASCII range
const asciiOnly = /^[\x00-\x7f]*$/
// Soft hyphens, joiners and variation selectors change how a word looks, not which word it is.
const invisible = /\u00ad|\u200d|\u2060|\p{VS}/gu
// Normalizing sorts each run of marks in quadratic time, so runs are broken after 30 by a mark that nothing passes, the
// combining grapheme joiner (Unicode's "stream-safe" form). The two half-width kana signs turn into marks.
const longMarkRun = /([\p{M}\uff9e\uff9f]{30})(?=[\p{M}\uff9e\uff9f])/gu

// Signs that most writers leave out, so that a word with them is the same word: Arabic vowel signs and the stroke that stretches a word,
// Hebrew points, Syriac points. What remains of Arabic hamza and madda belongs to the letter.
const arabicSigns =
  '\\u0610-\\u061a\\u0640\\u064b-\\u0652\\u0656-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u08d3-\\u08ff'
const hebrewPoints = '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7'
const syriacPoints = '\\u0711\\u0730-\\u074a'
const optionalSigns = new RegExp(`[${arabicSigns}${hebrewPoints}${syriacPoints}]`, 'gu')

/**
 * Lower case in Unicode form NFKC, without signs that most writers leave out, so that spellings of one word are the same; in no language's
 * special rules.
 */
export function foldText(text: string): string {
  if (asciiOnly.test(text)) return text.toLowerCase()
  return text
    .replace(invisible, '')
    .replace(longMarkRun, '$1\u034f')
    .normalize('NFKC')
    .replace(optionalSigns, '')
    .toLowerCase()
}
