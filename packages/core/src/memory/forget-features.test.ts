// A memory that forgets as much as it stores, with ever new words: what its routers know of words that are gone must go too.

import { afterAll, expect, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import { clock } from './memory.cases.ts'
import { MemoryTree } from './memory-tree.ts'

const engine = new Engine()
afterAll(() => engine.close())

it('does not grow though every memory brings new words', () => {
  const memory = MemoryTree.create({ engine, clock, capacity: 300 })
  const insert = (from: number, to: number) => {
    for (let i = from; i < to; i++) memory.insert(`new${i} fresh${i} word${i} common${i % 7}`, i)
  }
  insert(0, 6000)
  const { routerBytes } = memory.stats()
  insert(6000, 20_000)
  expect(memory.stats().routerBytes).toBeLessThanOrEqual(routerBytes)
  expect(memory.size).toBe(300)
  expect(memory.check()).toEqual([])
  // It still finds what it holds, and is the same after loading.
  const again = MemoryTree.fromContents(memory.contents(), { engine, clock })
  for (const tree of [memory, again]) {
    for (let i = 19_900; i < 20_000; i++) expect(tree.query(`fresh${i}`, { k: 1 })[0]?.value).toBe(i)
    for (let i = 20_000; i < 22_000; i++) tree.insert(`new${i} fresh${i} word${i} common${i % 7}`, i)
  }
  expect(again.contents()).toEqual(memory.contents())
})
