import { expect, it } from 'vitest'
import { HeapBudget, StringList } from './string-list.ts'

it('refuses more strings than the heap holds, all lists of a reader together', () => {
  const budget = new HeapBudget('a.csv', 1000)
  const [ids, texts] = [new StringList('a.csv', budget), new StringList('a.csv', budget)]
  ids.push('x'.repeat(300))
  texts.push('é'.repeat(200))
  expect(() => texts.push('漢'.repeat(100))).toThrow('a.csv: the texts, keys and labels of the rows take more than')
  expect([ids.items.length, texts.items.length]).toEqual([1, 1])
})

it('counts what empty strings take', () => {
  const list = new StringList('a', new HeapBudget('a', 1_000_000))
  expect(() => {
    for (let i = 0; i < 1e6; i++) list.push('')
  }).toThrow('take more than')
})
