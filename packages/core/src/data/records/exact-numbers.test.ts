import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasLongNumber, quoteLongNumbers } from './exact-numbers.ts'

describe('quoteLongNumbers', () => {
  it.each([
    ['{"id":9007199254740993}', '{"id":"9007199254740993"}'],
    ['[-1234567890.1234567,1,"9007199254740993"]', '["-1234567890.1234567",1,"9007199254740993"]'],
    ['{"a\\\\":1234567890123456}', '{"a\\\\":"1234567890123456"}'],
    ['{"a\\"":1234567890123456}', '{"a\\"":"1234567890123456"}'],
    ['[0.000000000000001234,1e300,1.5e-300]', '[0.000000000000001234,1e300,1.5e-300]'],
  ])('%s becomes %s', (json, quoted) => {
    expect(quoteLongNumbers(json)).toBe(quoted)
  })

  it('changes no other value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const json = JSON.stringify(value)
        const unquoted = JSON.parse(quoteLongNumbers(json), (_, item) => item)
        const long = hasLongNumber(json)
        if (!long) expect(unquoted).toEqual(JSON.parse(json))
        expect(JSON.stringify(unquoted).replaceAll('"', '')).toBe(JSON.stringify(JSON.parse(json)).replaceAll('"', ''))
      }),
    )
  })

  it('sees every number that a double would change', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), number => {
        const [kept] = JSON.parse(quoteLongNumbers(`[${number}]`))
        expect(String(kept)).toBe(String(number))
      }),
    )
  })
})
