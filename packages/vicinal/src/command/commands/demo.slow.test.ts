import { expect, it } from 'vitest'
import { vicinal } from '../test-run.ts'

it('vicinal demo learns from all bundled titles, well and soon', async () => {
  const start = performance.now()
  const { code, stdout } = await vicinal(['demo', '--json'])
  expect(code).toBe(0)
  expect((performance.now() - start) / 1000).toBeLessThan(30)
  const { metrics, titles } = JSON.parse(stdout)
  expect(metrics['p@1']).toBeGreaterThan(0.36) // measured: 0.378
  expect(titles.map(({ labels }: { labels: { name: string }[] }) => labels[0]?.name)).toEqual([
    'sailing',
    'knitting',
    'animal experiments',
  ])
})
