import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findJsonFault } from './json-fault.ts'

describe('findJsonFault', () => {
  it.each([
    ['{"a": nan}', 6],
    ['{a: 1}', 1],
    ['{"a" 1}', 5],
    ['{"a": 1,}', 8],
    ['{"a": 1 "b": 2}', 8],
    ['[1, 2,]', 6],
    ['[1}', 2],
    ['{"a": [1]]', 9],
    ['{"a": 1}}', 8],
    ['{"a": 01}', 7],
    ['{"a": "b', 8],
    ['{"a": "b\\x"}', 8],
    ['{"a": "b\tc"}', 8],
    ["{'a': 1}", 1],
    ['', 0],
    ['{"a": ', 6],
    ['tru', 0],
  ])('finds the fault of %j at %i', (source, at) => {
    expect(findJsonFault(source)).toBe(at)
  })

  it('finds none in JSON: the fault of a text with more behind it is where that begins', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('', ' ', '\t'), (source, space) => {
        expect(findJsonFault(source + space)).toBe(source.length + space.length)
        expect(findJsonFault(`${source}${space} x`)).toBe(source.length + space.length + 1)
      }),
    )
  })

  it('lies at the end of any text that only lacks its end', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, cut) => {
        const source = `[${json}`
        const begun = source.slice(0, 1 + (cut % source.length))
        const fault = findJsonFault(begun)
        // A cut number or literal may be a fault where it begins; everything else is fine up to the cut.
        expect(begun.slice(fault)).toMatch(/^([-\d.eE+]*|[a-z]*|\\[^"]*)$/)
      }),
    )
  })
})

it('finds the end of a string of millions of characters', () => {
  const long = `{"a": "${'x'.repeat(5e6)}${'\\\\'.repeat(5e6)}`
  expect(findJsonFault(long)).toBe(long.length)
  expect(findJsonFault(`${long}\t"}`)).toBe(long.length)
})
