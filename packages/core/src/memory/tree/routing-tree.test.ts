import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { memoryKernels } from '../../kernels/sets/memory.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { type Learner, squaredLearner } from '../learning/learner.ts'
import { bareTree, drawnRows, leavesOf, placed, sparse } from '../memory.cases.ts'
import type { KeyStore } from '../table/key-store.ts'
import type { RoutingTree, Step, TreeParts } from './routing-tree.ts'
import { countOf, type Inner, isLeaf, nodesBelow } from './tree-node.ts'

const engine = new Engine()
afterAll(() => engine.close())

function grown(rows: readonly SparseRow[], options: Partial<TreeParts> = {}): { tree: RoutingTree; keys: KeyStore } {
  const { tree, keys } = bareTree(engine, options)
  rows.forEach((row, slot) => {
    keys.add(row)
    tree.insert(slot)
  })
  return { tree, keys }
}

const innersOf = (tree: RoutingTree): Inner[] =>
  [...nodesBelow(tree.root)].flatMap(node => (isLeaf(node) ? [] : [node]))
const heldBy = (tree: RoutingTree): number[] => leavesOf(tree).flatMap(({ memories }) => memories)
const ascending = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b)

/** A learner that does not learn, and notes what it was told. */
function noting(): { learner: Learner; targets: number[] } {
  const targets: number[] = []
  const gradient = (_sum: number, target: number) => {
    targets.push(target)
    return 0
  }
  return { learner: { name: 'noting', gradient }, targets }
}

describe('a routing tree', () => {
  it('is an empty leaf at first', () => {
    const { tree } = bareTree(engine)
    expect(tree.root).toEqual({ number: 0, parent: undefined, memories: [], patience: 0 })
    expect(tree.nextNumber).toBe(1)
  })

  it('splits a leaf that holds more than c · log n, and not before', () => {
    // 4 · log 8 = 8.3 and 4 · log 9 = 8.8.
    const few = grown(drawnRows(1, 8), { leafFactor: 4 })
    expect(isLeaf(few.tree.root)).toBe(true)
    few.keys.add(drawnRows(2, 1)[0])
    few.tree.insert(8)
    expect(isLeaf(few.tree.root)).toBe(false)
    expect(ascending(heldBy(few.tree))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('keeps leaves within c · log n, but for those that could not be split', () => {
    const { tree, keys } = grown(drawnRows(3, 400), { leafFactor: 4 })
    const limit = 4 * Math.log(keys.count)
    for (const { memories, patience } of leavesOf(tree)) {
      expect(memories.length <= limit || memories.length <= patience).toBe(true)
    }
    expect(leavesOf(tree).length).toBeGreaterThan(400 / limit)
  })

  it('leaves memories of one key in one leaf, and is patient with it', () => {
    const rows = Array.from({ length: 40 }, () => sparse({ 1: 1 }))
    const { tree } = grown(rows, { balance: 0 })
    // With no balance the first decision stands: everything goes one way.
    expect(isLeaf(tree.root) && tree.root.memories.length).toBe(40)
    expect(isLeaf(tree.root) && tree.root.patience).toBeGreaterThan(40 / 2)
    expect(tree.nodeOf(tree.root.number)).toBe(tree.root)
    expect([...nodesBelow(tree.root)].length).toBe(1)
    expect(ascending(heldBy(tree))).toEqual(rows.map((_, slot) => slot))
  })

  it('parts equal keys once the balance outweighs the router, at about e^((1−α)/α) of them', () => {
    const leaves = (count: number, balance: number) => {
      const rows = Array.from({ length: count }, () => sparse({ 1: 1 }))
      return leavesOf(grown(rows, { balance, leafFactor: 1 }).tree).length
    }
    // e^((1 − 0.3) / 0.3) = 10.3; with α = 0.9 it is 1.1, and the leaf's size alone decides.
    expect([leaves(10, 0.3), leaves(40, 0.3)]).toEqual([1, expect.toSatisfy((count: number) => count > 1)])
    expect([leaves(1, 0.9), leaves(5, 0.9)]).toEqual([1, 2])
  })

  it('sends a key right where the sum is above 0, and says what it decided', () => {
    const { tree, keys } = grown(drawnRows(5, 100))
    for (let slot = 0; slot < keys.count; slot++) {
      const steps: Step[] = []
      const leaf = tree.path(keys.at(slot), tree.root, steps)
      const way = [...steps.map(({ node }) => node), leaf]
      expect(way[0]).toBe(tree.root)
      steps.forEach(({ node, sum }, i) => {
        expect(node.router.sum(keys.at(slot))).toBe(sum)
        expect(way[i + 1]).toBe(sum > 0 ? node.right : node.left)
      })
    }
  })

  it('finds a key where it was put, right after it was put there', () => {
    const { tree, keys } = bareTree(engine)
    drawnRows(6, 300).forEach((row, slot) => {
      keys.add(row)
      tree.insert(slot)
      expect(tree.path(keys.at(slot))).toBe(tree.leafOf(slot))
    })
  })

  it('teaches a new router left first, and then the emptier side', () => {
    const { learner, targets } = noting()
    const { tree, keys } = bareTree(engine, { learner, balance: 1 })
    drawnRows(1, 3).forEach((row, slot) => {
      keys.add(row)
      tree.insert(slot)
    })
    // Nothing is learned, so all go left: 0 and 0, then 1 and 0, 2 and 0.
    expect(targets.slice(0, 2)).toEqual([-1, 1])
    expect(isLeaf(tree.root)).toBe(true)
  })

  it('removes an empty leaf with its parent, whose other side moves up', () => {
    const { tree, keys } = grown(drawnRows(7, 12))
    const root = tree.root as Inner // 12 memories are more than log 12
    const [gone, stays] = [root.left, root.right]
    const slots = [...nodesBelow(gone)].flatMap(node => (isLeaf(node) ? node.memories : []))
    for (const slot of slots) tree.remove(slot)
    expect(tree.root).toBe(stays)
    expect(tree.root.parent).toBe(undefined)
    expect(tree.nodeOf(root.number)).toBe(undefined)
    expect([...nodesBelow(gone)].some(node => tree.nodeOf(node.number))).toBe(false)
    expect(heldBy(tree).length).toBe(keys.count - slots.length)
  })

  it('is an empty leaf again when all are gone', () => {
    const { tree, keys } = grown(drawnRows(8, 30))
    for (let slot = 0; slot < keys.count; slot++) tree.remove(slot)
    expect(isLeaf(tree.root) && tree.root.memories).toEqual([])
    expect(tree.root.parent).toBe(undefined)
  })

  it('never gives a number twice', () => {
    const { tree, keys } = grown(drawnRows(9, 60))
    const known = new Map([...nodesBelow(tree.root)].map(node => [node.number, node]))
    for (let i = 0; i < 300; i++) tree.reroute(i % keys.count)
    for (const node of nodesBelow(tree.root)) {
      expect(node.number).toBeLessThan(tree.nextNumber)
      if (known.has(node.number)) expect(known.get(node.number)).toBe(node)
    }
    expect(tree.nextNumber).toBeGreaterThan(known.size)
  })

  it('gives tables of routers that are gone to new ones', () => {
    const { tree, keys } = grown(drawnRows(10, 60))
    const before = engine.arena.usedBytes
    // Each round needs some thirty tables, and a chunk of the arena holds 1300.
    for (let round = 0; round < 100; round++) {
      for (let slot = 0; slot < keys.count; slot++) tree.remove(slot)
      for (let slot = 0; slot < keys.count; slot++) tree.insert(slot)
    }
    expect(engine.arena.usedBytes).toBe(before)
  })

  describe('that is rewarded', () => {
    const key = placed(engine, sparse({ 1: 1, 2: 1 }))
    /** y = (1 − α) r̂ + α (log left − log right), each side with one memory more. */
    const wantedOf = ({ left, right }: Inner, side: string, reward: number, balance: number) =>
      (1 - balance) * (side === 'right' ? 2 : -2) * reward +
      balance * (Math.log(countOf(left) + 1) - Math.log(countOf(right) + 1))

    it.each([0.5, 0.7, 0.9, 1])(
      'moves the sum of the router, and of no other, to where y points: balance %d',
      balance => {
        const { tree } = grown(drawnRows(11, 40), { balance })
        const inners = innersOf(tree)
        expect(inners.length).toBeGreaterThan(3)
        for (const node of inners) {
          for (const [side, reward] of [
            ['left', 1],
            ['right', 1],
            ['right', 0.3],
            ['left', 0],
          ] as const) {
            // biome-ignore format: one line
            const wanted = wantedOf(node, side, reward, balance)
            const before = inners.map(({ router }) => router.sum(key))
            tree.rewardSide(node, key, side, reward)
            const moved = inners.map(({ router }, i) => router.sum(key) - before[i])
            expect(Math.sign(moved[inners.indexOf(node)])).toBe(Math.sign(wanted))
            expect(moved.filter(by => by !== 0).length).toBe(wanted === 0 ? 0 : 1)
          }
        }
      },
    )

    it('weighs the step by |y|', () => {
      const gradients: number[] = []
      const learner: Learner = {
        name: 'tracing',
        gradient: (sum, target) => squaredLearner.gradient(sum, target, engine.exactKernels(memoryKernels)),
      }
      const { tree } = grown(drawnRows(11, 40), { balance: 0.5, learner })
      const [node] = innersOf(tree)
      const { router } = node
      const step = router.step.bind(router)
      router.step = (at, gradient, rate, biased) => {
        gradients.push(gradient)
        step(at, gradient, rate, biased)
      }
      const sum = router.sum(key)
      const wanted = wantedOf(node, 'right', 1, 0.5)
      tree.rewardSide(node, key, 'right', 1)
      expect(gradients.length).toBe(1)
      expect(gradients[0]).toBeCloseTo(Math.abs(wanted) * (sum - Math.sign(wanted)), 10)
    })
  })

  it('holds every memory once, and counts right, after any inserts, removals and reroutes', () => {
    const operation = fc.tuple(fc.constantFrom('insert', 'insert', 'remove', 'reroute'), fc.nat())
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 120 }), fc.constantFrom(0, 0.5, 0.9, 1), (operations, balance) => {
        const { tree, keys } = bareTree(engine, { balance })
        for (const [kind, number] of operations) {
          const [slot, last] = [number % Math.max(1, keys.count), keys.count - 1]
          if (kind === 'insert') {
            keys.add(drawnRows(number % 50, 1)[0])
            tree.insert(last + 1)
          } else if (last < 0) continue
          else if (kind === 'reroute') tree.reroute(slot)
          else {
            tree.remove(slot)
            keys.remove(slot)
            if (slot !== last) tree.rename(last, slot)
          }
        }
        expect(ascending(heldBy(tree))).toEqual(Array.from({ length: keys.count }, (_, slot) => slot))
        for (const node of innersOf(tree)) {
          const below = [...nodesBelow(node)].flatMap(child => (isLeaf(child) ? child.memories : []))
          expect(node.count).toBe(below.length)
          expect(countOf(node.left) * countOf(node.right)).toBeGreaterThan(0)
        }
        for (const leaf of leavesOf(tree)) {
          leaf.memories.forEach((slot, place) => {
            expect([tree.leafOf(slot), tree.placeOf(slot)]).toEqual([leaf, place])
          })
        }
        keys.free()
      }),
      { numRuns: 60 },
    )
  })
})
