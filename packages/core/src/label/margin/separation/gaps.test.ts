import { describe, expect, it } from 'vitest'
import { finish } from '../../../long-work.ts'
import { Net } from '../../../nets/net.ts'
import { Random } from '../../../random.ts'
import { candidateGaps } from './gaps.ts'

function gapsOf(places: readonly number[], labels: readonly number[], seed = 1) {
  const net = new Net<number>({ name: 'line', distance: (a, b) => Math.abs(a - b) }, [...places])
  for (const row of net.items.keys()) net.insert(row)
  return finish(candidateGaps(net, [...places.keys()], row => [labels[row]], seed))
}

/** Two clusters as wide as 1, from 0 and from 3, where every tenth row has the label of the other. */
function noisyClusters(rows: number): [number[], number[]] {
  const random = new Random(1)
  const places = Array.from({ length: rows }, (_, i) => 3 * (i % 2) + random.float())
  return [places, places.map((x, i) => Number(x > 2) ^ Number(i % 20 < 2))]
}

describe('candidateGaps', () => {
  it('has the distance of every pair without a common label, 0, and one beyond them all', () => {
    const { all } = gapsOf([0, 1, 3, 7], [0, 1, 0, 0])
    expect(all).toEqual([0, 1, 2, 6, expect.any(Number)])
    expect(all.at(-1)).toBeGreaterThan(7)
  })

  it.each([200, 3000])('offers, with noisy labels, a gap that ends every conflict within clusters (%i rows)', rows => {
    const { few, isNear } = gapsOf(...noisyClusters(rows))
    expect(few.filter(gap => gap > 1 && gap < 2.1)).not.toEqual([])
    expect(few.some(gap => gap > 1 && isNear(gap))).toBe(false) // no nearest enemy is that far
    expect(few.length).toBeLessThan(32)
  })

  it('is the same for the same seed, and tells about how many conflicts a gap has', () => {
    const [places, labels] = noisyClusters(1000)
    const gaps = gapsOf(places, labels)
    expect(gapsOf(places, labels).all).toEqual(gaps.all)
    const within = places.flatMap((a, i) => places.slice(0, i).filter((b, j) => labels[i] !== labels[j] && Math.abs(a - b) < 1.5)) // biome-ignore format: one list
    expect(gaps.conflictsAt(1.5) / within.length).toBeCloseTo(1, 1)
  })

  it('has no gap but 0 if all rows share a label', () => {
    expect(gapsOf([0, 1, 2], [0, 0, 0]).all).toEqual([0])
  })
})
