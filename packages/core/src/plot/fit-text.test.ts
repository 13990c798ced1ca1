import { describe, expect, it } from 'vitest'
import { fitText, textWidth } from './fit-text.ts'

describe('fitText', () => {
  it('leaves alone what fits', () => {
    expect(fitText('bread', textWidth('bread'))).toBe('bread')
  })

  it('cuts what does not fit, and stays within the width', () => {
    const cut = fitText('bread and butter', textWidth('bread and b'))
    expect(cut).toBe('bread and…')
    expect(textWidth(cut)).toBeLessThanOrEqual(textWidth('bread and b'))
  })

  it('leaves no space before the ellipsis', () => {
    expect(fitText('bread and butter', textWidth('bread …'))).toBe('bread…')
  })

  it('knows that some characters are wider, and marks have no width', () => {
    expect(textWidth('東')).toBeGreaterThan(textWidth('M'))
    expect(textWidth('M')).toBeGreaterThan(textWidth('n'))
    expect(textWidth('e\u0301')).toBe(textWidth('e'))
  })

  it('does not cut a character in halves', () => {
    expect(fitText('😀😀😀', 2 * textWidth('😀'))).toBe('😀…')
  })
})
