import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Metric } from './metrics/metric.ts'
import { levelOf, Net, type NetNode, scaleOf, walk } from './net.ts'

type Point = readonly [number, number]
const plane: Metric<Point> = { name: 'plane', distance: (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) }

const below = (node: NetNode): NetNode[] => [...walk(node)]

/** Every promise at the head of net.ts, for every node and pair of nodes. */
function expectNets(net: Net<Point>, rows: ReadonlySet<number>): void {
  const nodes = net.root ? below(net.root) : []
  const distance = (a: NetNode, b: NetNode) => plane.distance(a.item as Point, b.item as Point)
  expect(nodes.flatMap(node => node.rows).sort((a, b) => a - b)).toEqual([...rows].sort((a, b) => a - b))
  for (const node of nodes) {
    for (const row of node.rows) expect(net.item(row)).toEqual(node.item)
    for (const other of below(node)) expect(distance(node, other)).toBeLessThanOrEqual(node.radius)
    expect([node.steps, node.radii, node.levels]).toEqual([
      ...[node.children.map(child => child.toParent), node.children.map(child => child.radius)],
      node.children.map(child => child.level),
    ])
    node.children.forEach((child, i) => {
      expect([child.parent, child.place, child.toParent]).toEqual([node, i, distance(node, child)])
      expect(child.toParent).toBeLessThanOrEqual(scaleOf(child.level + 1))
      expect(child.level).toBeLessThan(node.level)
    })
    for (const other of nodes) {
      if (node !== other) expect(distance(node, other)).toBeGreaterThan(scaleOf(Math.min(node.level, other.level)))
    }
  }
}

describe('a net', () => {
  it('keeps a node apart from one that hangs far below the root', () => {
    const net = new Net<Point>(plane)
    const points: Point[] = [[3, 7], [5, 5], [5, 3]] // biome-ignore format: one list
    for (const point of points) net.insert(net.items.push(point) - 1)
    expectNets(net, new Set([0, 1, 2]))
  })

  it('keeps its promises through any changes', () => {
    const point = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }))
    const step = fc.record({ point, remove: fc.boolean(), which: fc.nat() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), steps => {
        const net = new Net<Point>(plane)
        const rows = new Set<number>()
        for (const { point, remove, which } of steps) {
          if (remove && rows.size > 0) {
            const row = [...rows][which % rows.size]
            net.remove(row)
            rows.delete(row)
          } else {
            rows.add(net.items.push(point) - 1)
            net.insert(net.items.length - 1)
          }
        }
        expectNets(net, rows)
        expectNets(net.renumbered([...net.items]), rows)
      }),
      { numRuns: 1000 },
    )
  })

  it('has scales that grow by the root of two, the same on every machine', () => {
    expect([-2, 0, 1, 2, 20].map(scaleOf)).toEqual([0.5, 1, Math.SQRT2, 2, 1024])
    for (const distance of [1e-300, 0.3, 0.5, 1, 1.5, 2, 7, 1e30]) {
      expect(scaleOf(levelOf(distance))).toBeGreaterThanOrEqual(distance)
      expect(scaleOf(levelOf(distance) - 1)).toBeLessThan(distance)
    }
  })
})
