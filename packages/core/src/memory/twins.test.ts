import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import type { SparseRow } from '../matrix/sparse-matrix.ts'
import { sparse } from './memory.cases.ts'
import { MemoryTable } from './memory-table.ts'
import { Twins } from './twins.ts'

const engine = new Engine()
afterAll(() => engine.close())

const row = sparse({ 1: 0.6, 12: 0.8 })

function tableOf(...memories: readonly (readonly [string, SparseRow, string])[]): MemoryTable {
  const table = new MemoryTable(engine.arena)
  for (const [id, key, value] of memories) {
    table.add({ id, value, text: undefined, born: 0, touched: 0, reward: 0, rewards: 0 }, key)
  }
  return table
}

describe('twins', () => {
  it('have the same key and the same value', () => {
    const twins = new Twins(tableOf(['a', sparse({ 5: 1 }), '1'], ['b', row, '1'], ['c', row, '2']))
    expect(twins.find(row, '1')).toBe(1)
    expect(twins.find(row, '2')).toBe(2)
    expect(twins.find(sparse({ 5: 1 }), '1')).toBe(0)
  })

  it.each([
    ['another value', row, '3'],
    ['other features', sparse({ 1: 0.6, 13: 0.8 }), '1'],
    ['features that read the same one after the other', sparse({ 11: 0.6, 2: 0.8 }), '1'],
    ['values that differ in the last bit', { ...row, values: row.values.with(0, Math.fround(0.6 + 2 ** -24)) }, '1'],
    ['a feature less', sparse({ 1: 0.6 }), '1'],
  ])('do not have %s', (_, key, value) => {
    expect(new Twins(tableOf(['b', row, '1'])).find(key, value)).toBe(undefined)
  })

  it('are found where they moved to, and not once they are gone', () => {
    const table = tableOf(['a', sparse({ 5: 1 }), '1'], ['b', row, '1'])
    const twins = new Twins(table)
    twins.remove(0)
    table.remove(0)
    expect(twins.find(row, '1')).toBe(0)
    expect(twins.find(sparse({ 5: 1 }), '1')).toBe(undefined)
    table.add({ id: 'c', value: '1', text: undefined, born: 1, touched: 1, reward: 0, rewards: 0 }, sparse({ 5: 1 }))
    twins.add(1)
    expect(twins.find(sparse({ 5: 1 }), '1')).toBe(1)
  })

  it('are not those of a memory that had the same id', () => {
    const table = tableOf(['a', row, '1'])
    const twins = new Twins(table)
    twins.remove(0)
    table.remove(0)
    table.add({ id: 'a', value: '2', text: undefined, born: 1, touched: 1, reward: 0, rewards: 0 }, row)
    twins.add(0)
    expect([twins.find(row, '1'), twins.find(row, '2')]).toEqual([undefined, 0])
  })
})
