import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { sparse, storedMemory } from '../memory.cases.ts'
import { DuplicateIndex, hashTwin, type TwinHash } from './duplicate-index.ts'
import { MemoryTable } from './memory-table.ts'

const engine = new Engine()
afterAll(() => engine.close())

const row = sparse({ 1: 0.6, 12: 0.8 })

function tableOf(...memories: readonly (readonly [string, SparseRow, string])[]): MemoryTable {
  const table = new MemoryTable(engine.arena)
  for (const [id, key, value] of memories) {
    table.add(storedMemory(id, { value }), key)
  }
  return table
}

describe('duplicates', () => {
  it('have the same key and the same value', () => {
    const duplicates = new DuplicateIndex(tableOf(['a', sparse({ 5: 1 }), '1'], ['b', row, '1'], ['c', row, '2']))
    expect(duplicates.find(row, '1')).toBe(1)
    expect(duplicates.find(row, '2')).toBe(2)
    expect(duplicates.find(sparse({ 5: 1 }), '1')).toBe(0)
  })

  it.each([
    ['another value', row, '3'],
    ['other features', sparse({ 1: 0.6, 13: 0.8 }), '1'],
    ['features that read the same one after the other', sparse({ 11: 0.6, 2: 0.8 }), '1'],
    ['values that differ in the last bit', { ...row, values: row.values.with(0, Math.fround(0.6 + 2 ** -24)) }, '1'],
    ['a feature less', sparse({ 1: 0.6 }), '1'],
  ])('do not have %s', (_, key, value) => {
    expect(new DuplicateIndex(tableOf(['b', row, '1'])).find(key, value)).toBe(undefined)
  })

  it('are found where they moved to, and not once they are gone', () => {
    const table = tableOf(['a', sparse({ 5: 1 }), '1'], ['b', row, '1'])
    const duplicates = new DuplicateIndex(table)
    duplicates.remove(0)
    table.remove(0)
    expect(duplicates.find(row, '1')).toBe(0)
    expect(duplicates.find(sparse({ 5: 1 }), '1')).toBe(undefined)
    table.add(storedMemory('c', { value: '1', born: 1, touched: 1 }), sparse({ 5: 1 }))
    duplicates.add(1)
    expect(duplicates.find(sparse({ 5: 1 }), '1')).toBe(1)
  })

  it('are not those of a memory that had the same id', () => {
    const table = tableOf(['a', row, '1'])
    const duplicates = new DuplicateIndex(table)
    duplicates.remove(0)
    table.remove(0)
    table.add(storedMemory('a', { value: '2', born: 1, touched: 1 }), row)
    duplicates.add(0)
    expect([duplicates.find(row, '1'), duplicates.find(row, '2')]).toEqual([undefined, 0])
  })

  it('are told apart by 0, not by its sign', () => {
    const [plus, minus] = [0, -0].map(zero => sparse({ 1: 1, 2: zero }))
    expect(new DuplicateIndex(tableOf(['a', plus, '1'])).find(minus, '1')).toBe(0)
  })

  // Few keys and values, so that there are duplicates, and more than two of a kind.
  const step = fc.record({
    call: fc.constantFrom('add', 'add', 'remove', 'find'),
    key: fc.constantFrom(row, sparse({ 5: 1 }), sparse({ 1: 0.6 }), sparse({ 1: 0.8, 12: 0.6 }), sparse({})),
    value: fc.constantFrom('1', '2', '12', '"a"'),
    n: fc.nat(100),
  })
  const naive = ({ indices, values }: SparseRow, value: string) => `${indices.join()} ${values.join()} ${value}`

  it.each<[string, TwinHash | undefined]>([
    ['its own hash', undefined],
    ['a hash that is always the same', () => 7],
    ['a hash of two values', ({ indices }) => indices.length % 2],
  ])('are those that a look at every memory finds, by %s', (_, hash) => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), steps => {
        const table = new MemoryTable(engine.arena)
        const duplicates = new DuplicateIndex(table, hash)
        const added: { readonly id: number; readonly print: string }[] = []
        for (const [id, { call, key, value, n }] of steps.entries()) {
          if (call === 'add') {
            table.add(storedMemory(id, { value }), key)
            duplicates.add(table.count - 1)
            added.push({ id, print: naive(key, value) })
          } else if (call === 'remove' && added.length > 0) {
            const [removed] = added.splice(n % added.length, 1)
            const slot = table.slotOf(removed.id)!
            duplicates.remove(slot)
            table.remove(slot)
          }
          const last = added.findLast(({ print }) => print === naive(key, value))
          for (const each of [duplicates, new DuplicateIndex(table, hash)]) {
            const slot = each.find(key, value)
            expect(slot === undefined).toBe(last === undefined)
            if (slot !== undefined) expect(naive(table.keys.row(slot), table.at(slot).value)).toBe(last?.print)
          }
          expect(duplicates.find(key, value)).toBe(last && table.slotOf(last.id))
        }
        table.keys.free()
      }),
      { numRuns: 60 },
    )
  })

  it('are looked for among few: all but the same have other hashes, safe integers all over their range', () => {
    const hashes = new Set<number>()
    for (let i = 0; i < 1000; i++) {
      // One number apart, in each of the places.
      hashes.add(hashTwin(sparse({ [i]: 1 }), '1'))
      hashes.add(hashTwin(sparse({ 1: 1, 12: 1 + i / 1000 }), '1'))
      hashes.add(hashTwin(sparse({ 1: 1, 12: -1 }), String(i)))
    }
    expect(hashes.size).toBe(3000)
    expect([...hashes].every(hash => Number.isSafeInteger(hash) && hash >= 0)).toBe(true)
    const high = [...hashes].filter(hash => hash >= 2 ** 52).length
    expect(Math.abs(high - 1500)).toBeLessThan(150)
  })
})
