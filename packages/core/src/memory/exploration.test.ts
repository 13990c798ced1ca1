// Lines 6 to 12 of QUERY and all of UPDATE (paper 002, Algorithms 2 and 3), seen from outside.

import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import { Random } from '../random.ts'
import { bareTree, bytesOf, clock, drawnRows, placed, sparse, storedMemory } from './memory.cases.ts'
import { type MemoryOptions, resolveMemoryOptions } from './memory-options.ts'
import type { Hit } from './memory-query.ts'
import { newState } from './memory-state.ts'
import { MemoryTree } from './memory-tree.ts'
import { explore } from './retrieval/retrieval.ts'
import type { Step } from './tree/routing-tree.ts'

const engine = new Engine()
afterAll(() => engine.close())

function filled(options: MemoryOptions = {}, count = 80): MemoryTree {
  const memory = MemoryTree.create({ leafFactor: 1, reroutes: 0, ...options, engine, clock })
  for (const [i, key] of drawnRows(1, count).entries()) memory.insert(key, i)
  return memory
}

/** All of a memory's stored routers, by tree. */
function routersOf(memory: MemoryTree): Uint32Array[] {
  const { tensors } = memory.contents()
  return memory.options.trees === 1 ? [tensors['tree0.routers'].array as Uint32Array] : [0, 1].map(i => tensors[`tree${i}.routers`].array as Uint32Array) // biome-ignore format: one line
}

const numbersOf = (memory: MemoryTree, tree: number) => [...(memory.contents().tensors[`tree${tree}.numbers`].array as Float64Array)] // biome-ignore format: one line
const [asked] = drawnRows(77, 1)

describe('a query that explores', () => {
  it('with certainty says where, in every hit', () => {
    const memory = filled({ trees: 2 })
    const trees = new Set<number>()
    for (let i = 0; i < 200; i++) {
      const hits = memory.query(asked, { k: 3, explore: 1 })
      expect(hits.length).toBeGreaterThan(0)
      for (const { query } of hits) {
        expect(query.key).toEqual({ indices: [...asked.indices], values: [...asked.values] })
        expect(query.explored).toBeDefined()
        const { tree, node, side } = query.explored as NonNullable<Hit['query']['explored']>
        expect(['left', 'right', 'leaf']).toContain(side)
        expect(numbersOf(memory, tree)).toContain(node)
        trees.add(tree)
      }
    }
    expect(trees).toEqual(new Set([0, 1]))
    memory.free()
  })

  it('draws each of the N + 1 nodes of its path alike, and both sides', () => {
    const { tree, keys } = bareTree(engine)
    drawnRows(1, 80).forEach((row, slot) => {
      keys.add(row)
      tree.insert(slot)
    })
    const key = placed(engine, asked)
    const steps: Step[] = []
    const leaf = tree.path(key, tree.root, steps)
    expect(steps.length).toBeGreaterThan(3)
    const counts = new Map<string, number>()
    const [random, draws] = [new Random(3), 20_000]
    for (let i = 0; i < draws; i++) {
      const { explored, leaf: reached } = explore(tree, key, random)
      const name = `${explored.node} ${explored.side}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
      const step = steps.find(({ node }) => node.number === explored.node)
      expect(reached).toBe(explored.side === 'leaf' ? leaf : step && tree.path(key, step.node[explored.side]))
    }
    const share = draws / (steps.length + 1)
    // Five standard deviations of a count.
    const tolerance = (mean: number) => 5 * Math.sqrt(mean)
    expect(Math.abs((counts.get(`${leaf.number} leaf`) ?? 0) - share)).toBeLessThan(tolerance(share))
    for (const { node } of steps) {
      for (const side of ['left', 'right']) {
        expect(Math.abs((counts.get(`${node.number} ${side}`) ?? 0) - share / 2)).toBeLessThan(tolerance(share / 2))
      }
    }
    expect(counts.size).toBe(2 * steps.length + 1)
  })

  it('comes to a leaf about once in N + 1 times', () => {
    const memory = filled()
    const kinds = Array.from({ length: 3000 }, () => memory.query(asked, { explore: 1 })[0].query.explored)
    const nodes = new Set(kinds.map(explored => explored?.node))
    const leaf = kinds.filter(explored => explored?.side === 'leaf').length
    // Every node of the path was drawn by now: N inner ones and the leaf.
    expect(Math.abs(leaf / 3000 - 1 / nodes.size)).toBeLessThan(5 * Math.sqrt(1 / nodes.size / 3000))
    memory.free()
  })

  it('does so as often as it is asked to', () => {
    const memory = filled()
    const explored = Array.from({ length: 2000 }, () => memory.query(asked, { explore: 0.25 })[0].query.explored)
    expect(Math.abs(explored.filter(Boolean).length / 2000 - 0.25)).toBeLessThan(5 * Math.sqrt((0.25 * 0.75) / 2000))
    memory.free()
  })

  it('gives memories of the drawn leaf in any order, those of a drawn side best first', () => {
    const memory = filled({ leafFactor: 3 })
    const firsts = new Set<unknown>()
    for (let i = 0; i < 300; i++) {
      const hits = memory.query(asked, { k: 'all', explore: 1 })
      const scores = hits.map(({ score }) => score)
      if (hits[0].query.explored?.side === 'leaf') firsts.add(hits[0].id)
      else expect(scores).toEqual([...scores].sort((a, b) => b - a))
    }
    expect(firsts.size).toBeGreaterThan(2)
    memory.free()
  })

  it('draws the same whatever happened beside it', () => {
    const [quiet, busy] = [filled(), filled()]
    for (let i = 0; i < 20; i++) {
      busy.query(asked, { k: 3 })
      expect(busy.query(asked, { explore: 1 })).toEqual(quiet.query(asked, { explore: 1 }))
    }
    quiet.free()
    busy.free()
  })
})

describe('update', () => {
  it('of an explored side teaches that router alone, and not the scorer', () => {
    const memory = filled({ trees: 2 })
    let sides = 0
    for (let i = 0; i < 60; i++) {
      const [hit] = memory.query(asked, { explore: 1 })
      const { tree, node, side } = hit.query.explored as NonNullable<Hit['query']['explored']>
      const before = { routers: routersOf(memory), scorer: memory.contents().tensors.scorer.array }
      memory.update(hit, 0.75)
      const after = routersOf(memory)
      expect(after[1 - tree]).toEqual(before.routers[1 - tree])
      if (side === 'leaf') {
        expect(after[tree]).toEqual(before.routers[tree])
        expect(memory.contents().tensors.scorer.array).not.toEqual(before.scorer)
      } else {
        sides++
        expect(memory.contents().tensors.scorer.array).toEqual(before.scorer)
        expect(changedRouters(memory, tree, before.routers[tree], after[tree])).toEqual([node])
      }
    }
    expect(sides).toBeGreaterThan(30)
    memory.free()
  })

  it('of a node that is gone teaches the scorer', () => {
    const memory = filled()
    const before = routersOf(memory)
    memory.update({ id: 5, query: { key: asked, explored: { tree: 0, node: 1e6, side: 'left' } } }, 1)
    memory.update({ id: 5, query: { key: asked, explored: { tree: 9, node: 0, side: 'left' } } }, 1)
    expect(routersOf(memory)).toEqual(before)
    expect(memory.stats().rewards).toBe(2)
    memory.free()
  })

  it('of a side with reward 1 makes the router send the key there, where balance counts little', () => {
    for (const side of ['left', 'right'] as const) {
      const state = newState(engine, resolveMemoryOptions({ leafFactor: 1, balance: 0.6 }))
      const [tree] = state.trees
      for (const [slot, row] of drawnRows(1, 60).entries()) {
        state.table.add(storedMemory(slot, { value: '1' }), row)
        tree.insert(slot)
      }
      const key = placed(engine, sparse({ 100: 0.6, 101: 0.8 }))
      const steps: Step[] = []
      tree.path(key, tree.root, steps)
      const [{ node }] = steps
      for (let i = 0; i < 30; i++) tree.rewardSide(node, key, side, 1)
      expect(node.router.sum(key) > 0).toBe(side === 'right')
    }
  })

  it('reroutes as often as the options say: not at all with 0', () => {
    const [still, moving] = [filled(), filled({ reroutes: 5 })]
    for (const memory of [still, moving]) {
      const sizes = () => [...(memory.contents().tensors['tree0.memories'].array as Uint32Array)].join()
      const before = sizes()
      for (let i = 0; i < 20; i++) memory.update({ id: 5, query: { key: asked } }, 1)
      expect(sizes() === before).toBe(memory === still)
    }
    expect(bytesOf(still)).not.toBe(bytesOf(moving))
    still.free()
    moving.free()
  })
})

/** The numbers of the inner nodes whose stored tables differ. */
function changedRouters(memory: MemoryTree, tree: number, before: Uint32Array, after: Uint32Array): number[] {
  const sizes = memory.contents().tensors[`tree${tree}.sizes`].array as Uint32Array
  const inners = numbersOf(memory, tree).filter((_, i) => sizes[i] === 0xffffffff)
  const tables = (words: Uint32Array) => {
    const found: string[] = []
    for (let at = 0; at < words.length; ) {
      const length = 4 + 3 * 2 ** words[at]
      found.push(contentsOf(words.subarray(at, at + length)))
      at += length
    }
    return found
  }
  const [old, now] = [tables(before), tables(after)]
  return inners.filter((_, i) => old[i] !== now[i])
}

/** A table's head without its size, and its features in order: the same where it only grew. */
function contentsOf(words: Uint32Array): string {
  const slots = Array.from({ length: (words.length - 4) / 3 }, (_, i) => words.subarray(4 + 3 * i, 7 + 3 * i).join())
  return [...words.subarray(2, 4), ...slots.filter(slot => !slot.startsWith('4294967295')).sort()].join(' ')
}
