import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import type { KeyAt } from '../learning/linear-model.ts'
import { bareTree, drawnRows, leavesOf, placed } from '../memory.cases.ts'
import { nearLeaves } from './near-leaves.ts'
import type { RoutingTree } from './routing-tree.ts'
import type { Leaf } from './tree-node.ts'

const engine = new Engine()
afterAll(() => engine.close())

function grown(seed: number, memories: number): RoutingTree {
  const { tree, keys } = bareTree(engine)
  drawnRows(seed, memories).forEach((row, slot) => {
    keys.add(row)
    tree.insert(slot)
  })
  return tree
}

/** The readable version: what all routers say against the way from the root to a leaf. */
function doubtOf(leaf: Leaf, key: KeyAt): number {
  let doubt = 0
  let child: Leaf | NonNullable<Leaf['parent']> = leaf
  for (let node = leaf.parent; node; node = node.parent) {
    const sum = node.router.sum(key)
    if (sum > 0 !== (child === node.right)) doubt += Math.abs(sum)
    child = node
  }
  return doubt
}

describe('near leaves', () => {
  const tree = grown(1, 60)
  const every = leavesOf(tree)

  it('without probes are the leaf of the path', () => {
    const key = placed(engine, drawnRows(9, 1)[0])
    expect(nearLeaves(tree, key, 0)).toEqual([tree.path(key)])
  })

  it('are all leaves, each once, where there are fewer than was asked for', () => {
    const key = placed(engine, drawnRows(9, 1)[0])
    expect(every.length).toBeGreaterThan(8)
    for (const probes of [every.length - 1, every.length, 1000]) {
      const leaves = nearLeaves(tree, key, probes)
      expect(leaves.length).toBe(every.length)
      expect(new Set(leaves)).toEqual(new Set(every))
    }
  })

  it('of a tree with one leaf are that one', () => {
    const small = grown(1, 1)
    expect(nearLeaves(small, placed(engine, drawnRows(9, 1)[0]), 5)).toEqual([small.root])
  })

  it('are those of least doubt, least first, never one twice', () => {
    fc.assert(
      fc.property(
        fc.nat(50),
        fc.integer({ min: 2, max: 80 }),
        fc.nat(1000),
        fc.nat(12),
        (seed, size, asked, probes) => {
          const tree = grown(seed, size)
          const key = placed(engine, drawnRows(2000 + asked, 1)[0])
          const leaves = nearLeaves(tree, key, probes)
          const doubts = leavesOf(tree)
            .map(leaf => doubtOf(leaf, key))
            .sort((a, b) => a - b)
          expect(leaves[0]).toBe(tree.path(key))
          expect(new Set(leaves).size).toBe(Math.min(probes + 1, doubts.length))
          leaves.forEach((leaf, i) => {
            expect(doubtOf(leaf, key)).toBeCloseTo(doubts[i], 9)
          })
        },
      ),
      { numRuns: 50 },
    )
  })
})
