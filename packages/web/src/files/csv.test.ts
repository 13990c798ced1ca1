import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvOf, parseCsv } from './csv.ts'

describe('CSV', () => {
  it('reads quoted cells with separators, quotes and line breaks', () => {
    expect(parseCsv('text,labels\r\n"a, ""b""\nc",x\r\n')).toEqual([
      ['text', 'labels'],
      ['a, "b"\nc', 'x'],
    ])
  })

  it('finds the separator by the first line, and skips the mark of UTF-8', () => {
    expect(parseCsv('\uFEFFa;b;c,d\n1;2;3,4')).toEqual([
      ['a', 'b', 'c,d'],
      ['1', '2', '3,4'],
    ])
    expect(parseCsv('a title, with, three, commas\tx\n')).toEqual([['a title, with, three, commas', 'x']])
  })

  it('refuses a quoted cell that does not end', () => {
    expect(() => parseCsv('a,"b\nc')).toThrow('does not end')
  })

  it('reads what it writes', () => {
    const cell = fc.string().map(text => `x${text.replace(/\r/g, '')}`)
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), rows => {
        expect(parseCsv(csvOf(rows), ',')).toEqual(rows)
      }),
    )
  })
})
