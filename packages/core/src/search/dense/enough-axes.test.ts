import { afterAll, afterEach, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { Random } from '../../random.ts'
import { enoughAxes } from './enough-axes.ts'

const engine = new Engine()
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

const [rows, dims] = [600, 40]

/** Rows that vary along so many axes, and a little along the others. */
async function axesOf(strong: number): Promise<number> {
  const random = new Random(3)
  const scope = engine.arena.scope()
  try {
    const sample = scope.allocate(Float32Array, rows * dims)
    sample.array.forEach((_, at) => {
      sample.array[at] = (at % dims < strong ? 1 : 0.05) * random.normal()
    })
    const { axes } = await enoughAxes(engine, { sample, rows, dims, seed: 1, threads: 1 }, [8, 16, 32])
    return axes.length / dims
  } finally {
    scope.free()
  }
}

it('takes the first number of axes that keeps neighbors apart, else the last', async () => {
  expect(await axesOf(6)).toBe(8)
  expect(await axesOf(14)).toBe(16)
  expect(await axesOf(40)).toBe(32)
})
