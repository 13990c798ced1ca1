import { describe, expect, it } from 'vitest'
import { formatBytes, formatCount, formatCountOf, formatNumber, formatShare, formatWait } from './quantity.ts'

describe('quantities', () => {
  it('set thousands apart and put nouns in the plural', () => {
    expect(formatCount(589_926)).toBe('589,926')
    expect([0, 1, 2000].map(count => formatCountOf(count, 'row'))).toEqual(['0 rows', '1 row', '2,000 rows'])
  })

  it('show three digits of a measured number, and all digits before the point', () => {
    expect([12.3456, 0.019_04, 999.4, 999.5, 12_345.6, -0.5].map(formatNumber)).toEqual([
      '12.3',
      '0.019',
      '999',
      '1,000',
      '12,346',
      '-0.5',
    ])
  })

  it('show shares as per cent, of nothing too', () => {
    expect(formatShare(1, 3)).toBe('33.3 %')
    expect(formatShare(0, 0)).toBe('0 %')
  })

  it('choose the unit of bytes', () => {
    expect([0, 999, 1000, 1_210_000, 999_600_000, 5e15].map(formatBytes)).toEqual([
      '0 bytes',
      '999 bytes',
      '1 kB',
      '1.21 MB',
      '1 GB',
      '5,000 TB',
    ])
  })

  it('show a time to wait in the two units that matter', () => {
    expect([0, 7.2, 59.5, 125, 3599.5, 4800].map(formatWait)).toEqual([
      '0 s',
      '8 s',
      '1 min 00 s',
      '2 min 05 s',
      '1 h 00 min',
      '1 h 20 min',
    ])
  })
})
