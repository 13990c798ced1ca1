import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CsvScanner } from './csv-scanner.ts'

const bytesOf = (content: string): Uint8Array => new TextEncoder().encode(content)

/** The rows, with the scanner fed piece by piece; a bad row becomes its error's message. */
function scan(pieces: readonly Uint8Array[], maxRowBytes = 1000): (string[] | string)[] {
  const scanner = new CsvScanner('a.csv', 44, maxRowBytes)
  const rows: (string[] | string)[] = []
  const takeRows = (): void => {
    for (;;) {
      try {
        if (!scanner.next()) return
        rows.push(scanner.row.texts())
      } catch (error) {
        rows.push(String(error))
        scanner.skipLine()
      }
    }
  }
  for (const piece of pieces) {
    scanner.push(piece)
    takeRows()
  }
  scanner.end()
  takeRows()
  return rows
}

const scanText = (content: string): (string[] | string)[] => scan([bytesOf(content)])

function cut(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map(at => Math.min(at, bytes.length)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end))
}

describe('CsvScanner', () => {
  it('cuts plain cells at commas and line breaks', () => {
    expect(scanText('a,b\nc,\n,d\r\n')).toEqual([
      ['a', 'b'],
      ['c', ''],
      ['', 'd'],
    ])
  })

  it('takes a last row without line break', () => {
    expect(scanText('a,b\nc,d')).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    expect(scanText('a,')).toEqual([['a', '']])
    expect(scanText('a,"b"')).toEqual([['a', 'b']])
    expect(scanText('a,b\r')).toEqual([['a', 'b']])
    expect(scanText('')).toEqual([])
  })

  it('keeps commas, line breaks and doubled quotes inside quotes', () => {
    expect(scanText('"a,b","c\r\nd","e""f",""\n"""",x\n')).toEqual([
      ['a,b', 'c\r\nd', 'e"f', ''],
      ['"', 'x'],
    ])
  })

  it('keeps a CR that ends no line', () => {
    expect(scanText('a\rb,c\n')).toEqual([['a\rb', 'c']])
  })

  it('refuses a quote inside a plain cell, and says where', () => {
    expect(scanText('a,b\nc,d"e\nf,g\n')).toEqual([
      ['a', 'b'],
      'EngineError: a.csv:2:4: a quote inside a cell that does not begin with one',
      ['f', 'g'],
    ])
  })

  it('refuses text behind a closing quote, also a CR without LF', () => {
    expect(scanText('"a"b\n"c"\rd\ne')).toEqual([
      'EngineError: a.csv:1:4: text after the closing quote of a cell',
      'EngineError: a.csv:2:5: text after the closing quote of a cell',
      ['e'],
    ])
  })

  it('points at a quote that is never closed, and continues with the next line', () => {
    expect(scanText('a,b\nc,"d\ne,f\n')).toEqual([
      ['a', 'b'],
      'EngineError: a.csv:2:3: a quote that is never closed',
      ['e', 'f'],
    ])
  })

  it('counts the lines inside quotes', () => {
    expect(scanText('"a\n\nb",c\nd"e\n')).toEqual([
      ['a\n\nb', 'c'],
      'EngineError: a.csv:4:2: a quote inside a cell that does not begin with one',
    ])
  })

  it('refuses a row that is too long before it is complete', () => {
    const rows = scan([bytesOf('a,b\n'), bytesOf('"cdefghijkl'), bytesOf('mnop')], 8)
    expect(rows[0]).toEqual(['a', 'b'])
    expect(rows[1]).toBe('EngineError: a.csv:2:1: the row is longer than 8 bytes')
  })

  it('reads back any cells that were quoted, wherever the chunks are cut', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r', ' '), maxLength: 6 })
    const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), fc.array(fc.nat(80), { maxLength: 10 }), (rows, end, cuts) => {
        const content = rows.map(row => row.map(text => `"${text.replaceAll('"', '""')}"`).join(',') + end).join('')
        expect(scan(cut(bytesOf(content), cuts))).toEqual(rows)
      }),
    )
  })

  it('finds the same rows and errors in any text, wherever the chunks are cut', () => {
    const content = fc.string({ unit: fc.constantFrom('a', 'é', '"', '"', ',', '\n', '\r\n', '\r'), maxLength: 60 })
    fc.assert(
      fc.property(content, fc.array(fc.nat(90), { maxLength: 12 }), (text, cuts) => {
        const bytes = bytesOf(text)
        expect(scan(cut(bytes, cuts))).toEqual(scan([bytes]))
      }),
      { numRuns: 500 },
    )
  })
})
