import { describe, expect, it } from 'vitest'
import { formatTable, oneLine, shorten } from './table.ts'

describe('formatTable', () => {
  it('aligns columns and leaves no blanks at the ends of lines', () => {
    const rows = [
      ['rows', '12'],
      ['features', '3', 'sparse'],
    ]
    expect(formatTable(rows, ['left', 'right'])).toBe('  rows      12\n  features   3  sparse\n')
  })

  it('counts what a terminal shows: marks take no column, wide characters two', () => {
    expect(
      formatTable([
        ['日本', '1'],
        ['e\u0301', '2'],
        ['abcd', '3'],
      ]),
    ).toBe('  日本  1\n  e\u0301     2\n  abcd  3\n')
  })

  it('keeps a cell on its line and the escape codes of a terminal out', () => {
    expect(formatTable([['a\r\n b', '\x1b[31mred\x07']])).toBe('  a b  \ufffd[31mred\ufffd\n')
  })

  it('takes more rows than a call takes arguments', () => {
    expect(formatTable(Array(200_000).fill(['a', 'b'])).length).toBe(200_000 * '  a  b\n'.length)
  })

  it('makes nothing of no rows', () => {
    expect(formatTable([])).toBe('')
  })
})

describe('oneLine', () => {
  it('leaves plain text as it is', () => {
    expect(oneLine('naïve – 日本 🙂')).toBe('naïve – 日本 🙂')
  })
})

describe('shorten', () => {
  it('cuts whole characters and says so', () => {
    expect(shorten('🙂🙂🙂', 3)).toBe('🙂🙂🙂')
    expect(shorten('🙂🙂🙂🙂', 3)).toBe('🙂🙂…')
  })
})
