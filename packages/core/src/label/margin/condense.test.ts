import { describe, expect, it } from 'vitest'
import type { Dataset } from '../../data/dataset.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { Random } from '../../random.ts'
import { ExactIndex } from '../../search/exact/exact-index.ts'
import { type CondenseOptions, condense } from './condense.ts'

/** Two half-planes of points, with one in twenty on the wrong side. */
function halves(rows: number, seed: number, noise = 0.05): Dataset {
  const random = new Random(seed)
  const points = Array.from({ length: rows }, () => [random.float() * 10, random.float() * 10] as const)
  const labels = points.map(([x]) => [Number(random.float() < noise ? x <= 5 : x > 5)])
  return { name: 'halves', rows, features: DenseMatrix.from(points), labels: LabelMatrix.from(labels, 2) }
}

async function errorOf(training: Dataset, test: Dataset): Promise<number> {
  const index = await ExactIndex.fit(training.features as DenseMatrix)
  const rows = Array.from({ length: test.rows }, (_, i) => i)
  const wrong = rows.filter(i => {
    const [nearest] = index.search((test.features as DenseMatrix).row(i), { k: 1 })
    return training.labels!.row(Number(nearest!.id))[0] !== test.labels!.row(i)[0]
  })
  index.free()
  return wrong.length / test.rows
}

describe('condense', () => {
  const training = halves(1000, 1)
  const test = halves(500, 2, 0)

  it.each(['border', 'net', 'separated'] as const)('makes 1-NN no worse with what is left: %s', async keep => {
    const { dataset, rows, report } = await condense(training, { keep, share: 0.3 })
    expect(rows.length).toBe(dataset.rows)
    if (keep !== 'separated') expect(rows.length).toBeLessThanOrEqual(300)
    expect(report.dropped).toBeGreaterThan(0)
    expect(await errorOf(dataset, test)).toBeLessThan(await errorOf(training, test))
  })

  it('keeps the border: what goes has a kept row of its label nearer than any other label, by the margin', async () => {
    const clean = halves(300, 5, 0)
    const { dataset, rows, margin } = await condense(clean, { gap: 0, share: 0.4 })
    const kept = new Set(rows)
    const features = clean.features as DenseMatrix
    const distance = (a: number, b: number) => Math.hypot(...[0, 1].map(j => features.row(a)[j]! - features.row(b)[j]!))
    const all = Array.from({ length: 300 }, (_, i) => i)
    const labelOf = (row: number) => clean.labels!.row(row)[0]
    const nearest = (row: number, among: number[]) => Math.min(...among.map(other => distance(row, other)))
    for (const row of all.filter(one => !kept.has(one))) {
      const friend = nearest(row, [...rows].filter(other => labelOf(other) === labelOf(row))) // biome-ignore format: one idea
      const enemy = nearest(row, all.filter(other => labelOf(other) !== labelOf(row))) // biome-ignore format: one idea
      expect(enemy - friend).toBeGreaterThanOrEqual(margin - 1e-6)
    }
    expect(await errorOf(dataset, clean)).toBe(0)
  })

  it('refuses a share that is less than the border, which a net goes below', async () => {
    // In turns: every row is on the border.
    const features = DenseMatrix.from(Array.from({ length: 40 }, (_, i) => [i]))
    const turns = { name: 'turns', rows: 40, features, labels: LabelMatrix.from(Array.from({ length: 40 }, (_, i) => [i % 2])) } // biome-ignore format: one idea
    await expect(condense(turns, { gap: 0, share: 0.1 })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: 'border keeps at least 40 of 40 rows here, more than the share 0.1',
    })
    expect((await condense(turns, { gap: 0, share: 0.1, keep: 'net' })).rows.length).toBeLessThanOrEqual(4)
  })

  it('keeps all where all may stay, and one row where there is one label', async () => {
    const clean = halves(50, 3, 0)
    expect((await condense(clean, { gap: 0, share: 1 })).rows).toHaveLength(50)
    const one = { ...clean, labels: LabelMatrix.from(Array(50).fill([0])) }
    expect((await condense(one, { share: 0.1 })).rows.length).toBeLessThanOrEqual(5)
  })

  it.each<[CondenseOptions, string]>([
    [{ share: 0 }, 'share is 0'],
    [{ keep: 'best' as 'net' }, "keep is 'best'"], // to be refused
    [{ gap: -1 }, 'gap is -1'],
  ])('refuses %o', async (options, message) => {
    await expect(condense(training, options)).rejects.toThrow(message)
  })
})
