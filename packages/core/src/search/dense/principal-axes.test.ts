import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { Random } from '../../random.ts'
import { type AxesFit, principalAxes } from './principal-axes.ts'

const engine = new Engine()
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => Array.from(a).reduce((sum, x, j) => sum + x * b[j], 0)

/** Five directions at right angles, turned out of the axes: columns of a Householder reflection. */
const turned = Array.from({ length: 5 }, (_, i) =>
  Array.from({ length: 5 }, (_, j) => (i === j ? 1 : 0) - (2 * (i + 1) * (j + 1)) / 55),
)
const widths = [20, 9, 4, 2, 1]
const center = [100, -50, 0, 7, 1]

/** Rows around the center, as wide along each turned direction as `widths` says. */
function turnedRows(count: number): number[][] {
  const random = new Random(4)
  return Array.from({ length: count }, () => {
    const along = widths.map(width => width * random.normal())
    return center.map((value, j) => value + along.reduce((sum, x, a) => sum + x * turned[a][j], 0))
  })
}

async function axesOf(rows: number[][], axes: number, options: Partial<AxesFit> = {}) {
  const scope = engine.arena.scope()
  const sample = scope.place(Float32Array.from(rows.flat()))
  try {
    const fit = { sample, rows: rows.length, dims: rows[0].length, axes, seed: 3, threads: 1, ...options }
    const found = await principalAxes(engine, fit)
    const each = Array.from({ length: axes }, (_, a) => found.axes.subarray(a * fit.dims, (a + 1) * fit.dims))
    return { ...found, each }
  } finally {
    scope.free()
  }
}

describe('principalAxes', () => {
  it('finds the directions that rows are widest along, the widest first, and the mean', async () => {
    const { each, mean } = await axesOf(turnedRows(2000), 5)
    for (const [a, axis] of each.entries()) expect(Math.abs(dot(axis, turned[a]))).toBeGreaterThan(0.995)
    for (const [j, value] of center.entries()) expect(Math.abs(mean[j] - value)).toBeLessThan(1)
  })

  it('gives axes of length 1 at right angles', async () => {
    const { each } = await axesOf(turnedRows(300), 4)
    for (const [a, one] of each.entries()) {
      for (const [b, other] of each.entries()) expect(dot(one, other)).toBeCloseTo(a === b ? 1 : 0, 5)
    }
  })

  it('orders axes by the variance of the rows along them', async () => {
    const rows = turnedRows(500)
    const { each, mean } = await axesOf(rows, 5)
    const variances = each.map(axis => rows.reduce((sum, row) => sum + (dot(row, axis) - dot(mean, axis)) ** 2, 0))
    expect(variances).toEqual([...variances].sort((a, b) => b - a))
  })

  it('still gives axes where rows have no extent', async () => {
    const same = Array.from({ length: 6 }, () => [3, 4, 5])
    const { each, mean } = await axesOf(same, 3)
    expect([...mean]).toEqual([3, 4, 5])
    expect(each.map(axis => Math.round(1e5 * dot(axis, axis)))).toEqual([1e5, 1e5, 1e5])
    const { each: one } = await axesOf([[1, 2, 3]], 2)
    expect(dot(one[0], one[1])).toBeCloseTo(0, 5)
  })

  it('gives the same bytes for one thread and two', async () => {
    const rows = turnedRows(333)
    expect((await axesOf(rows, 3, { threads: 2 })).axes).toEqual((await axesOf(rows, 3)).axes)
  })

  it('tells how far it is', async () => {
    const done: number[] = []
    await axesOf(turnedRows(20), 2, { onProgress: report => done.push(report.done) })
    expect(done).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})
