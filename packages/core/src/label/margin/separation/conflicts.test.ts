import { describe, expect, it } from 'vitest'
import { Net } from '../../../nets/net.ts'
import { findConflicts } from './conflicts.ts'

/** Four rows on a line, one apart, with labels in turns: 3 pairs in conflict below a gap of 2, 4 below one of 4. */
function conflictsOf(gaps: readonly number[], most?: number) {
  const net = new Net<number>({ name: 'line', distance: (a, b) => Math.abs(a - b) }, [0, 1, 2, 3])
  for (const row of net.items.keys()) net.insert(row)
  return findConflicts(net, row => [row % 2], gaps, {}, most)
}

describe('findConflicts', () => {
  it('finds the pairs of different labels that are nearer than the gap', async () => {
    expect((await conflictsOf([2])).distances).toEqual(Float64Array.of(1, 1, 1))
    expect([...(await conflictsOf([4])).distances].sort()).toEqual([1, 1, 1, 3])
  })

  it('goes down to the largest gap whose pairs can be listed, or to none', async () => {
    expect(await conflictsOf([0, 2, 4], 4)).toMatchObject({ gap: 4 })
    expect(await conflictsOf([0, 2, 4], 3)).toMatchObject({ gap: 2, distances: Float64Array.of(1, 1, 1) })
    expect(await conflictsOf([0, 2, 4], 2)).toMatchObject({ gap: 0, distances: new Float64Array(0) })
    expect(await conflictsOf([4], 3)).toMatchObject({ gap: 0, distances: new Float64Array(0) })
    expect(await conflictsOf([], 3)).toMatchObject({ gap: 0 })
  })
})
