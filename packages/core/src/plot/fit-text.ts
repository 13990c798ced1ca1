// How much room a text takes in a picture. It depends on the reader's font, so this is an estimate on the safe side.

const broad = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u
const stout = /[\p{Lu}mwMW%@…←→]/u

/** The width in pixels at the pictures' font size of 12. */
export function textWidth(text: string): number {
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

/** The beginning of the text that fits into `width` pixels, with an ellipsis if something was cut. */
export function fitText(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let left = width - characterWidth('…')
  let fitting = ''
  for (const character of text) {
    left -= characterWidth(character)
    if (left < 0) break
    fitting += character
  }
  return `${fitting.trimEnd()}…`
}

function characterWidth(character: string): number {
  if (/\p{M}/u.test(character)) return 0
  if (broad.test(character)) return 13
  return stout.test(character) ? 9 : 7
}
