import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finish } from '../long-work.ts'
import { IdTable } from './id-table.ts'

/** Adds a row with its default id, which is returned. */
function addNext(table: IdTable): ReturnType<IdTable['nextId']> {
  const id = table.nextId()
  table.add(id)
  return id
}

describe('the default id of a row', () => {
  it('is its number where that is free', () => {
    const table = new IdTable(2)
    expect([addNext(table), addNext(table)]).toEqual([2, 3])
    expect(addNext(new IdTable(2, ['a', 7]))).toBe(2)
  })

  it('is the next number above where that is taken', () => {
    const table = new IdTable(3, ['a', 3, 4])
    expect([addNext(table), addNext(table)]).toEqual([5, 6])
  })

  it('is one that was given back, where it is not below the row’s number', () => {
    const table = new IdTable(2, [2, 3])
    expect(table.nextId()).toBe(4)
    table.remove(3)
    expect(table.nextId()).toBe(3)
  })

  it('is a whole number, whatever was given back', () => {
    const table = new IdTable(3, [3, 3.5, -1])
    expect(table.nextId()).toBe(4)
    for (const id of [3.5, -1]) {
      table.remove(id)
      expect(table.nextId()).toBe(4)
    }
  })

  it('is free after a compaction that leaves holes', () => {
    const table = new IdTable(3)
    table.remove(1)
    const compacted = table.compact().table
    expect([addNext(compacted), addNext(compacted)]).toEqual([3, 4])
  })

  it('is the smallest free number that is not below the row’s, through any changes', () => {
    const step = fc.record({ what: fc.constantFrom('add', 'give', 'remove', 'compact'), number: fc.nat({ max: 12 }) })
    const follow = (rows: number, steps: { what: string; number: number }[]) => {
      let table = new IdTable(rows)
      for (const { what, number } of steps) {
        let free = table.rows
        while (table.rowOf(free) !== undefined) free++
        expect(table.nextId()).toBe(free)
        if (what === 'add') table.add(table.nextId())
        else if (what === 'compact') table = table.compact().table
        else if (what === 'remove') table.remove(number)
        else if (table.rowOf(number) === undefined) table.add(table.nextId(number))
      }
    }
    fc.assert(fc.property(fc.nat({ max: 6 }), fc.array(step, { maxLength: 30 }), follow))
  })
})

describe('tensors', () => {
  it('are none where rows are their own ids', () => {
    expect(finish(new IdTable(3).tensorSteps())).toEqual({})
    expect(IdTable.fromTensors(3, {}).idOf(2)).toBe(2)
  })

  it('bring back strings, numbers and holes', () => {
    const table = new IdTable(4, ['7', 7, undefined, 'é'])
    const back = IdTable.fromTensors(4, finish(table.tensorSteps()))
    expect([0, 1, 2, 3].map(row => back.idOf(row))).toEqual(['7', 7, undefined, 'é'])
    expect([back.rows, back.live]).toEqual([4, 3])
  })

  it('are refused where some are missing, or where they are not one a row', () => {
    const whole = finish(new IdTable(2, ['a', 'b']).tensorSteps())
    for (const name of Object.keys(whole)) {
      const { [name]: _, ...others } = whole
      expect(() => IdTable.fromTensors(2, others)).toThrow(expect.objectContaining({ code: 'MODEL_DAMAGED' }))
    }
    for (const rows of [1, 3])
      expect(() => IdTable.fromTensors(rows, whole)).toThrow(`not have one id for each of its ${rows} rows`)
  })
})
