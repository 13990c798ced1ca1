import { describe, expect, it } from 'vitest'
import { filterOf } from './memory-filter.ts'

type Given = Parameters<typeof filterOf>[0]

function passes(filter: Given, value: never, id: string | number = 1, metadata?: object): boolean {
  const test = filterOf(filter)
  return typeof test === 'function' ? test(value, id, metadata as never) : test.includes(id)
}

describe('a filter of memories', () => {
  it.each<[Given, unknown, boolean]>([
    [[1, 2], 'x', true],
    [[2], 'x', false],
    [{ ids: [1] }, 'x', true],
    [{ ids: ['1'] }, 'x', false],
    [{ metadata: { host: 'db1' } }, 'x', true],
    [{ metadata: { host: 'db1', year: { lt: 2025 } } }, 'x', false],
    [{ metadata: { host: 'db1' }, ids: [7] }, 'x', false],
    [{ value: 'x' }, 'x', true],
    [{ value: 'y' }, 'x', false],
    [{ value: null }, null, true],
    [{ value: { gte: 3 } }, 4, true],
    [{ value: { gte: 3 } }, 2, false],
    [{ value: { gte: 3 } }, { gte: 3 }, false],
    [{ value: { kind: 'fix', tags: 'disk' } }, { kind: 'fix', tags: ['log', 'disk'] }, true],
    [{ value: { kind: 'fix' } }, { kind: 'note' }, false],
    [{ value: { kind: 'fix' } }, 'fix', false],
    [{}, 'x', true],
  ])('%j lets %j pass: %s', (filter, value, isPassing) => {
    expect(passes(filter, value as never, 1, { host: 'db1', year: 2026 })).toBe(isPassing)
  })

  it('passes no memory without metadata that must have some', () => {
    expect(passes({ metadata: { host: 'db1' } }, null as never)).toBe(false)
  })

  it('refuses conditions that make no sense', () => {
    expect(() => filterOf({ metadata: { year: { over: 3 } } })).toThrow('filter.year has "over", expected in, notIn')
    expect(() => filterOf({ value: ['a'] })).toThrow('filter.value')
  })
})
