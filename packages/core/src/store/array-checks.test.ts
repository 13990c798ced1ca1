import { describe, expect, it } from 'vitest'
import {
  allAmounts,
  allBelow,
  allFinite,
  areDistinct,
  ascends,
  climbs,
  listsAscend,
  paddedWithZeros,
} from './array-checks.ts'

describe('the checks of stored arrays', () => {
  it('offsets climb from 0 to the last', () => {
    expect(climbs(Uint32Array.of(0, 2, 2, 5), 5)).toBe(true)
    expect(climbs(Float64Array.of(0), 0)).toBe(true)
    for (const bad of [[], [1, 5], [0, 4], [0, 3, 2, 5], [0, Number.NaN, 5]]) {
      expect(climbs(Float64Array.from(bad), 5)).toBe(false)
    }
  })

  it('numbers are below a limit, and ascend within their lists', () => {
    expect(allBelow(Uint32Array.of(0, 4), 5)).toBe(true)
    expect(allBelow(Uint32Array.of(0, 5), 5)).toBe(false)
    expect(allBelow(Int32Array.of(-1), 5)).toBe(false)
    expect(listsAscend(Uint32Array.of(0, 2, 4), Uint32Array.of(3, 7, 1, 2))).toBe(true)
    expect(listsAscend(Uint32Array.of(0, 2, 4), Uint32Array.of(3, 7, 2, 2))).toBe(false)
    expect(ascends(Uint32Array.of(1, 3))).toBe(true)
    expect(ascends(Uint32Array.of(3, 3))).toBe(false)
    expect(areDistinct(Uint32Array.of(2, 0, 1), 3)).toBe(true)
    expect(areDistinct(Uint32Array.of(2, 0, 2), 3)).toBe(false)
    expect(areDistinct(Uint32Array.of(3), 3)).toBe(false)
  })

  it('numbers are finite, or amounts', () => {
    expect(allFinite(Float32Array.of(-3.4e38, 3.4e38, -0))).toBe(true)
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(allFinite(Float64Array.of(1, bad, 1))).toBe(false)
      expect(allAmounts(Float64Array.of(1, bad, 1))).toBe(false)
    }
    expect(allAmounts(Float32Array.of(0, 2))).toBe(true)
    expect(allAmounts(Float32Array.of(0, -1e-45))).toBe(false)
  })

  it('lines end in zeros', () => {
    expect(paddedWithZeros(Uint8Array.of(1, 2, 0, 3, 4, 0), 3, 2)).toBe(true)
    expect(paddedWithZeros(Uint8Array.of(1, 2, 0, 3, 4, 9), 3, 2)).toBe(false)
  })
})
