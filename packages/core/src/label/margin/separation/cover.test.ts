import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Net } from '../../../nets/net.ts'
import { Coverer } from './cover.ts'

type Place = [x: number, label: number]

function netOf(places: readonly Place[]): Net<number> {
  const net = new Net<number>({ name: 'line', distance: (a, b) => Math.abs(a - b) }, places.map(([x]) => x)) // biome-ignore format: one idea
  for (const row of net.items.keys()) net.insert(row)
  return net
}

/** `mostPairs` of −1 lists nothing: every row is asked. */
async function coverOf(places: readonly Place[], gap: number, mostPairs: number, isThere?: (row: number) => boolean) {
  const coverer = await Coverer.make(netOf(places), row => [places[row][1]], [gap], 1, {}, mostPairs)
  return coverer.cover(gap, isThere)
}

const conflict = ([a, x]: Place, [b, y]: Place, gap: number) => x !== y && Math.abs(a - b) < gap

/** By trying all sets of rows. */
function leastCover(places: readonly Place[], gap: number): number {
  let least = places.length
  for (let set = 0; set < 1 << places.length; set++) {
    const left = places.filter((_, i) => (set & (1 << i)) === 0)
    const isFine = left.every((a, i) => left.every((b, j) => j <= i || !conflict(a, b, gap)))
    if (isFine) least = Math.min(least, places.length - left.length)
  }
  return least
}

const lists = fc.array(fc.tuple(fc.nat({ max: 14 }), fc.nat({ max: 2 })), { minLength: 1, maxLength: 9 })
const gaps = fc.constantFrom(1, 2, 5, 20)

describe('Coverer', () => {
  it.each([
    ['from a list of conflicts', 2 ** 20],
    ['row by row, when there are too many to list', -1],
  ])('leaves no conflict and drops at most twice as many rows as needed, %s', async (_way, mostPairs) => {
    const agree = async (places: Place[], gap: number, absent: number) => {
      const dropped = await coverOf(places, gap, mostPairs, row => row !== absent)
      const there = places.filter((_, row) => row !== absent)
      const left = places.filter((_, row) => row !== absent && dropped[row] === 0)
      for (const a of left) for (const b of left) expect(conflict(a, b, gap)).toBe(false)
      expect(there.length - left.length).toBeLessThanOrEqual(2 * leastCover(there, gap))
      // Nothing is dropped in vain: every dropped row is in conflict with one that is left.
      for (const [row, place] of places.entries())
        if (dropped[row]) expect(left.some(b => conflict(place, b, gap))).toBe(true)
    }
    await fc.assert(fc.asyncProperty(lists, gaps, fc.nat({ max: 20 }), agree))
  })

  it('drops the rows surrounded by other labels, not those around them, by either way', async () => {
    const places = Array.from({ length: 60 }, (_, i): Place => [i / 60, Number(i % 10 === 5)])
    for (const mostPairs of [2 ** 20, -1]) {
      const dropped = await coverOf(places, 2, mostPairs)
      expect(places.map(([, label]) => label)).toEqual(Array.from(dropped))
    }
  })
})
