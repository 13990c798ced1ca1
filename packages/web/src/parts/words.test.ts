import { describe, expect, it } from 'vitest'
import { marked, tellingWords } from './words.ts'

const marks = (text: string, words: string[]) => {
  return marked(text, words)
    .map(piece => (piece.isMarked ? `[${piece.text}]` : piece.text))
    .join('')
}

describe('words of the model in a text', () => {
  it('are marked whatever their case', () => {
    expect(marks('Old Ships, new ships.', ['ships'])).toBe('Old [Ships], new [ships].')
  })

  it('may be stems, but not parts of other words', () => {
    expect(marks('sailing, sails, sail, sa', ['sail'])).toBe('[sailing], [sails], [sail], sa')
    expect(marks('art of artillery', ['art'])).toBe('[art] of artillery')
    expect(marks('of offers', ['of'])).toBe('[of] offers')
  })

  it('may be two words in a row', () => {
    expect(marks('New York is new in York', ['new york'])).toBe('[New] [York] is new in York')
  })

  it('are left out if they hardly count', () => {
    expect(tellingWords([{ share: 1 }, { share: 0.05 }, { share: 0.01 }])).toEqual([{ share: 1 }, { share: 0.05 }])
    expect(tellingWords([])).toEqual([])
  })

  it('keep every letter of the text', () => {
    const text = ' a\nÄiti, 日本語! '
    expect(
      marked(text, ['äiti', 'x'])
        .map(piece => piece.text)
        .join(''),
    ).toBe(text)
  })
})
