import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineBlock } from './lines.ts'
import { formatFloat32, numberError, parseNumber, parseWhole, quote, wholeError } from './numbers.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const parse = (text: string): number => parseNumber(bytesOf(text), 0, bytesOf(text).length)
const whole = (text: string): number => parseWhole(bytesOf(text), 0, text.length)

describe('parseNumber', () => {
  it.each([
    '0',
    '-0',
    '7',
    '+7',
    '007',
    '1.',
    '.5',
    '-1.25',
    '0.1',
    '123456789012345',
    '1e5',
    '1E-5',
    '2.5e+3',
    '9007199254740993',
  ])('reads %s as Number() does', text => expect(parse(text)).toBe(Number(text)))

  it.each([
    '',
    ' ',
    '+',
    '-',
    '.',
    'e5',
    '1e',
    '1e+',
    'nan',
    'NaN',
    'inf',
    'Infinity',
    '-inf',
    '0x10',
    '1_0',
    '1,5',
    '1.2.3',
    '1 ',
    ' 1',
    '12x',
    '--1',
    '１',
  ])('refuses %j', text => expect(parse(text)).toBeNaN())

  it.each(['1e999', '-1e999', '3.5e38', '1e39'])('refuses %s, which no 32-bit float holds', text => {
    expect(parse(text)).toBeNaN()
  })

  it('takes numbers too small for a 32-bit float for what they are: next to nothing', () => {
    expect(parse('1e-400')).toBe(0)
  })

  it('looks at no byte outside its bounds', () => {
    expect(parseNumber(bytesOf('9912.599'), 2, 6)).toBe(12.5)
  })

  it('gives what Number() gives for every double of 32-bit size', () => {
    const doubles = fc.double({ min: -3e38, max: 3e38, noNaN: true })
    fc.assert(
      fc.property(doubles, value => Object.is(parse(String(value)), Number(String(value)))),
      { numRuns: 500 },
    )
  })

  it('gives what Number() gives for every way to write a decimal', () => {
    const digits = fc.stringMatching(/^\d{0,25}$/)
    const exponent = fc.stringMatching(/^([eE][+-]?\d{1,2})?$/)
    const decimal = fc.tuple(fc.constantFrom('', '+', '-'), digits, fc.constantFrom('', '.'), digits, exponent)
    fc.assert(
      fc.property(decimal, parts => {
        const text = parts.join('')
        const value = /\d/.test(parts.slice(1, 4).join('')) ? Number(text) : Number.NaN
        expect(parse(text)).toBe(Number.isFinite(Math.fround(value)) ? value : Number.NaN)
      }),
      { numRuns: 1000 },
    )
  })

  it('gives NaN or what Number() gives for any text', () => {
    const anything = fc.string({ unit: fc.constantFrom(...'0123456789.+-eE x'), maxLength: 12 })
    fc.assert(
      fc.property(anything, text => {
        const value = parse(text)
        expect(Number.isNaN(value) || Object.is(value, Number(text))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('parseWhole', () => {
  it('reads digits only', () => {
    expect(['0', '42', '007', '9007199254740991'].map(whole)).toEqual([0, 42, 7, Number.MAX_SAFE_INTEGER])
    expect(['', '-1', '+1', '1.0', '1e3', ' 1', 'x', '9007199254740992', '9'.repeat(400)].map(whole)).toEqual(
      Array(9).fill(-1),
    )
  })
})

describe('errors about numbers', () => {
  function blockOf(line: string): LineBlock {
    const block = new LineBlock('a.txt', bytesOf(line), 4, 1000)
    block.next()
    return block
  }

  it('say the place, the word and what was expected', () => {
    const block = blockOf('a nan 1e999 ?')
    expect(numberError(block, 2, 5, 'the weight').message).toBe(
      'a.txt:5:3: the weight is "nan", expected a finite decimal number',
    )
    expect(numberError(block, 6, 11, 'the weight').message).toContain('expected a number that fits 32 bits')
    expect(wholeError(block, 12, 13, 'the label').message).toBe(
      'a.txt:5:13: the label is "?", expected a whole number of at least 0',
    )
    expect(numberError(block, 3, 3, 'the weight').message).toContain('the weight is empty')
  })

  it('shorten long words', () => {
    expect(quote(bytesOf('x'.repeat(1000)), 0, 1000)).toHaveLength(43)
  })
})

describe('formatFloat32', () => {
  it('writes the shortest decimal', () => {
    const written = [0.1, 1 / 3, 5, -2.5, 0.00001, 1e-10, 2000000, 16777216, 3.4e38, -0, 0].map(value =>
      formatFloat32(Math.fround(value)),
    )
    expect(written.join(' ')).toBe('0.1 0.33333334 5 -2.5 0.00001 1e-10 2000000 16777216 3.4e+38 -0 0')
  })

  it('reads back as the same 32-bit float', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), value => {
        expect(Math.fround(parse(formatFloat32(value)))).toBe(value)
      }),
      { numRuns: 1000 },
    )
  })
})
