// How many principal axes a sketch needs. Codes of sketches choose the rows that are compared exactly, so they must not lose neighbors:
// the nearest rows by the sketch must have nearly all of the nearest rows among them. That is tried on a sample.

import type { Engine } from '../../kernels/engine.ts'
import { forestKernels } from '../../kernels/sets/forest.ts'
import { exactNeighbors } from './exact-search.ts'
import { type AxesFit, principalAxes } from './principal-axes.ts'

/** Rows of the sample that are asked about, and how many of their neighbors must be among how many by the sketch. */
const askedRows = 128
const neighbors = 10
const lookedAt = 15
const enoughRecall = 0.96
const rowsPerJob = 512

type Axes = Awaited<ReturnType<typeof principalAxes>>

/** The principal axes, as many as the first of `counts` that is enough. The last one is not tried. */
export async function enoughAxes(
  engine: Engine,
  fit: Omit<AxesFit, 'axes'>,
  counts: readonly [number, ...number[]],
): Promise<Axes> {
  const [first, ...others] = counts
  let axes = first
  let found = await principalAxes(engine, { ...fit, axes })
  for (const more of others) {
    if ((await sketchRecall(engine, fit, found.axes, axes)) >= enoughRecall) break
    axes = more
    found = await principalAxes(engine, { ...fit, axes })
  }
  return found
}

/** Which share of the nearest rows of some rows of the sample is among the nearest by coordinates on the axes. */
async function sketchRecall(
  engine: Engine,
  { sample, rows, dims, threads, signal }: Omit<AxesFit, 'axes'>,
  axes: Float32Array,
  count: number,
): Promise<number> {
  const k = Math.min(neighbors, rows - 1)
  if (k < 1) return 1
  const scope = engine.arena.scope()
  try {
    const [placed, shifts] = [scope.place(axes), scope.place(new Float32Array(count))]
    const sketches = scope.allocate(Float32Array, rows * count, 'sketches')
    const fields = [sample.pointer, dims, placed.pointer, shifts.pointer, count, 0, 0, 0]
    const jobs: number[][] = []
    for (let from = 0; from < rows; from += rowsPerJob) {
      jobs.push([...fields, from, Math.min(rows, from + rowsPerJob), sketches.pointer])
    }
    await engine.pool(threads).run(forestKernels, 'sketchRows', jobs, { signal })
    const near = (pointer: number, width: number, most: number) =>
      exactNeighbors(engine, {
        ...{ rows: { pointer, rows, dims: width, products: false }, k: Math.min(most, rows - 1), threads, signal },
        ...{ queries: { pointer, rows: Math.min(askedRows, rows) }, excludeSelf: true },
      })
    const [truth, found] = [await near(sample.pointer, dims, k), await near(sketches.pointer, count, lookedAt)]
    let hits = 0
    for (let i = 0; i < truth.queries; i++) {
      const own = new Set(found.rows.subarray(i * found.k, i * found.k + found.counts[i]))
      for (const row of truth.rows.subarray(i * k, (i + 1) * k)) hits += own.has(row) ? 1 : 0
    }
    return hits / (truth.queries * k)
  } finally {
    scope.free()
  }
}
