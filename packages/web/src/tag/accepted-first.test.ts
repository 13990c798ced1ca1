import { describe, expect, it } from 'vitest'
import { acceptedFirst } from './accepted-first.ts'

const suggestions = [
  { label: 'a', score: 0.3 },
  { label: 'b', score: 0.2 },
  { label: 'c', name: 'see', score: 0.1 },
]

describe('accepted labels', () => {
  it('come before better ones, as they were accepted', () => {
    const shown = acceptedFirst(suggestions, [{ label: 'c' }, { label: 'b' }])
    expect(shown).toEqual([suggestions[2], suggestions[1], suggestions[0]])
  })

  it('are shown without a score if the model does not suggest them', () => {
    expect(acceptedFirst(suggestions, [{ label: 'd', name: 'dee' }])).toEqual([
      { label: 'd', name: 'dee' },
      ...suggestions,
    ])
  })

  it('come first, rejected ones last', () => {
    const shown = acceptedFirst(suggestions, [{ label: 'b' }], [{ label: 'a' }, { label: 'e' }])
    expect(shown).toEqual([suggestions[1], suggestions[2], suggestions[0], { label: 'e' }])
  })

  it('change nothing if there are none', () => {
    expect(acceptedFirst(suggestions, [])).toEqual(suggestions)
  })
})
