import { describe, expect, it } from 'vitest'
import { assignRoles, isHeader } from './columns.ts'

describe('assignRoles', () => {
  it('finds known names in any case and keeps the spelling of the file', () => {
    expect(assignRoles('a', ['ID', 'Title', 'Tags', 'year'], {})).toEqual({ text: ['Title'], label: 'Tags', id: 'ID' })
  })

  it('takes the first name of its lists, not the first column', () => {
    expect(assignRoles('a', ['class', 'abstract', 'labels', 'text'], {})).toMatchObject({
      text: ['text'],
      label: 'labels',
    })
  })

  it('finds nothing where nothing is known', () => {
    expect(assignRoles('a', ['x', 'y'], {})).toEqual({ text: [], label: undefined, id: undefined })
  })

  it('obeys the options before the known names', () => {
    const options = { textColumns: ['x', 'title'], labelColumn: 'y', idColumn: 'x' }
    expect(assignRoles('a', ['x', 'y', 'title', 'text', 'labels'], options)).toEqual({
      text: ['x', 'title'],
      label: 'y',
      id: 'x',
    })
  })

  it('lists the columns there are where an option names another', () => {
    expect(() => assignRoles('a.csv', ['x', 'y'], { labelColumn: 'Y' })).toThrow(
      expect.objectContaining({
        code: 'UNKNOWN_NAME',
        message: 'a.csv: there is no column "Y"; the columns are "x", "y"',
      }),
    )
  })

  it('shortens the list of very many columns', () => {
    const columns = Array.from({ length: 100 }, (_, i) => `c${i}`)
    expect(() => assignRoles('a', columns, { idColumn: 'no' })).toThrow(/"c19", … \(100 in all\)$/)
  })
})

describe('isHeader', () => {
  it('holds for known names and wherever the caller names columns', () => {
    expect(isHeader(['TEXT', 'x'], {})).toBe(true)
    expect(isHeader(['x', 'y'], {})).toBe(false)
    expect(isHeader(['x', 'y'], { labelColumn: 'y' })).toBe(true)
  })
})
