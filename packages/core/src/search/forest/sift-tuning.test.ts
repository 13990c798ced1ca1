import { describe, expect, it } from 'vitest'
import { clustered } from '../index-oracle.cases.ts'
import { ForestIndex } from './forest-index.ts'
import type { ForestFitOptions } from './options.ts'

const rows = clustered(2, 3000, 64)

async function siftOf(options: ForestFitOptions) {
  const index = await ForestIndex.fit(rows, { trees: 8, sketchDims: 16, targetRecall: 0.9, ...options })
  const same = ForestIndex.fromContents(index.contents())
  const [sift, saved] = [index.tuning?.sift ?? [], same.tuning?.sift]
  index.free()
  same.free()
  return { sift, saved }
}

describe('how many rows to compare after a look at all codes', () => {
  it('is tuned for k neighbors and for more, and saved with the index', async () => {
    const { sift, saved } = await siftOf({})
    expect(sift[0]).toMatchObject({ k: 10 })
    expect(sift.length).toBeGreaterThan(1)
    expect(sift.map(({ k }) => k)).toEqual(sift.map(({ k }) => k).sort((a, b) => a - b))
    for (const { k, rerank, recall } of sift) {
      expect(rerank).toBeGreaterThan(k)
      expect(recall).toBeGreaterThan(0.9)
    }
    expect(saved).toEqual(sift)
  })

  it('is more for a higher target', async () => {
    const [low, high] = [await siftOf({ targetRecall: 0.5 }), await siftOf({ targetRecall: 0.9 })]
    expect(high.sift[0]?.rerank).toBeGreaterThan(low.sift[0]?.rerank ?? Number.POSITIVE_INFINITY)
  })

  it('is not looked for where sketches are all that is kept', async () => {
    expect((await siftOf({ keep: 'sketch', targetRecall: 0.3 })).sift).toEqual([])
  })
})
