import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sparse } from './memory.cases.ts'
import { KeyReader, type MemoryKey } from './memory-key.ts'

const reader = new KeyReader({})
const plain = ({ indices, values }: ReturnType<KeyReader['read']>) => [[...indices], [...values]]

/** Reads after `first` has settled what keys are. */
function readAfter(first: MemoryKey, key: unknown): unknown {
  const reader = new KeyReader({})
  reader.read(first)
  reader.settle(first)
  return reader.read(key as MemoryKey) // callers without types may give anything
}

describe('a key', () => {
  it('is scaled to length 1: 3-4-5', () => {
    const [three, four] = [Math.fround(0.6), Math.fround(0.8)]
    expect(plain(reader.read([3, 0, 4]))).toEqual([[0, 2], [three, four]]) // biome-ignore format: one line
    expect(plain(reader.read(Float32Array.of(-3, 0, 4)))).toEqual([[0, 2], [-three, four]]) // biome-ignore format: one line
    expect(plain(reader.read(sparse({ 7: 3, 90: 4 })))).toEqual([[7, 90], [three, four]]) // biome-ignore format: one line
  })

  it('that was scaled stays the same, to the last bit', () => {
    const value = fc.float({ noNaN: true, min: -1e6, max: 1e6 }).filter(value => Math.abs(value) > 1e-3)
    const scaled = fc.array(value, { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(scaled, numbers => {
        const once = reader.read(numbers)
        expect(plain(reader.read(once))).toEqual(plain(once))
      }),
      { numRuns: 2000 },
    )
  })

  it('is read without a change to what was given', () => {
    const given = sparse({ 7: 3, 8: 0, 90: 4 })
    const row = reader.read(given)
    expect([...row.indices]).toEqual([7, 90])
    expect(given).toEqual(sparse({ 7: 3, 8: 0, 90: 4 }))
  })

  it('that is a text has the same features as the same words', () => {
    expect(plain(reader.read('Red  apples!'))).toEqual(plain(reader.read('red apples')))
    expect(plain(reader.read('red apples'))).not.toEqual(plain(reader.read('green apples')))
    expect(Math.hypot(...reader.read('one fine day').values)).toBeCloseTo(1, 6)
  })

  it('is of no kind before one was settled, and of its kind from then on', () => {
    const reader = new KeyReader({})
    reader.read('a text')
    expect(reader.shape).toBe(undefined)
    reader.settle([1, 2, 3])
    reader.settle('too late')
    expect(reader.shape).toEqual({ kind: 'dense', dims: 3 })
    expect(plain(reader.read([0, 1, 0]))).toEqual([[1], [1]])
  })

  it.each([
    ['null', null, 'the key is null, expected a text or a vector'],
    ['undefined', undefined, 'the key is undefined, expected a text or a vector'],
    ['a number', 5, 'the key is number, expected a text or a vector'],
    ['an object that is no vector', { a: 1 }, 'the key is object, expected a text or a vector'],
    ['an empty text', '', 'the key has no features, so it cannot be compared'],
    ['a text without words', ' … !', 'the key has no features, so it cannot be compared'],
    ['an empty list', [], 'the key has no features, so it cannot be compared'],
    ['nothing but zeros', [0, -0, 0], 'the key has no features, so it cannot be compared'],
    ['a sparse row of zeros', sparse({ 3: 0 }), 'the key has no features, so it cannot be compared'],
    ['a row of nothing', { indices: null, values: null }, 'the key is object, expected a text or a vector'],
    ['a row of half', { indices: [1], values: 5 }, 'the key is object, expected a text or a vector'],
    ['longer than any', { length: 5e9 }, 'the key is object, expected a text or a vector'],
    ['of no length', { length: 'two' }, 'the key is object, expected a text or a vector'],
    ['a NaN', [1, Number.NaN], 'number 1 of the key is NaN, expected a finite number'],
    ['infinite', [Number.NEGATIVE_INFINITY], 'number 0 of the key is -Infinity, expected a finite number'],
    ['too large for 32 bits', [1e39], 'number 0 of the key is 1e+39, expected a finite number'],
    ['a list of texts', ['a'], "number 0 of the key is 'a', expected a finite number"],
    ['a NaN in a sparse row', sparse({ 3: Number.NaN }), 'feature 3 of the key is NaN, expected a finite number'],
    [
      'unsorted',
      { indices: [5, 2], values: [1, 1] },
      'entry 1 of the key has feature 2, expected ascending whole numbers',
    ],
    [
      'a feature twice',
      { indices: [5, 5], values: [1, 1] },
      'entry 1 of the key has feature 5, expected ascending whole numbers',
    ],
    [
      'a negative feature',
      { indices: [-1], values: [1] },
      'entry 0 of the key has feature -1, expected ascending whole numbers',
    ],
    [
      'half a feature',
      { indices: [1.5], values: [1] },
      'entry 0 of the key has feature 1.5, expected ascending whole numbers',
    ],
    [
      'the mark of empty slots',
      { indices: [2 ** 32 - 1], values: [1] },
      'entry 0 of the key has feature 4294967295, expected ascending whole numbers',
    ],
  ])('is refused where it is %s', (_, key, message) => {
    expect(() => reader.read(key as MemoryKey)).toThrow(expect.objectContaining({ code: 'BAD_DATA', message }))
  })

  it('is refused where it has fewer values than indices', () => {
    const message = 'the key has 2 indices but 1 values'
    const key = { indices: Uint32Array.of(1, 2), values: Float32Array.of(1) }
    expect(() => reader.read(key)).toThrow(expect.objectContaining({ code: 'DIMENSION_MISMATCH', message }))
  })

  it.each([
    ['a text among vectors', [1, 2], 'red', 'BAD_DATA', "the key is a text, this memory's keys are dense"],
    ['a vector among texts', 'red', [1, 2], 'BAD_DATA', "the key is dense, this memory's keys are text"],
    ['sparse among texts', 'red', sparse({ 1: 1 }), 'BAD_DATA', "the key is sparse, this memory's keys are text"],
    ['dense among sparse', sparse({ 1: 1 }), [1], 'BAD_DATA', "the key is dense, this memory's keys are sparse"],
    [
      'of other dimensions',
      [1, 2],
      [1, 2, 3],
      'DIMENSION_MISMATCH',
      'the key has 3 numbers, the keys of this memory have 2',
    ],
  ])('is refused where it is %s', (_, first, key, code, message) => {
    expect(() => readAfter(first, key)).toThrow(expect.objectContaining({ code, message }))
  })

  it('is refused with what to do next', () => {
    const hintOf = (key: unknown) => {
      try {
        return reader.read(key as MemoryKey)
      } catch (error) {
        return (error as { hint?: string }).hint // an EngineError
      }
    }
    expect(hintOf('')).toBe('Give a text with at least one word.')
    expect(hintOf([0])).toBe('Give at least one number that is not 0.')
    expect(hintOf(5)).toBe(
      'Give a sparse vector as { indices, values }, a dense one as an array, a text with a vector as { text, vector }; at most 16777216 numbers.',
    )
  })
})
