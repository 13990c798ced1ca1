import { afterAll, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { finish, type Steps } from '../../long-work.ts'
import { Random } from '../../random.ts'
import type { ModelContents } from '../../store/header.ts'
import { ForestIndex } from './forest-index.ts'

const engine = new Engine()
afterAll(() => engine.close())

const rows = 3000
const changed = 300
let random = new Random(3)
const vector = () => Float32Array.from({ length: 12 }, () => random.normal())

/** An index of which a tenth was replaced, and the steps of its contents. */
async function replaced(): Promise<{ index: ForestIndex; steps: Steps<ModelContents> }> {
  random = new Random(3)
  const ids = Array.from({ length: rows }, (_, i) => i)
  const index = await ForestIndex.fit(ids.map(vector), { ids, engine, targetRecall: 0.9 })
  for (let id = 0; id < changed; id++) index.remove(id)
  for (let id = 0; id < changed; id++) index.add(vector(), rows + id)
  return { index, steps: (index as unknown as { contentSteps(): Steps<ModelContents> }).contentSteps() }
}

it('saving an index after changes does not clean up all votes and links in its first step', async () => {
  const { index, steps } = await replaced()
  steps.next()
  // Counts removed rows when they are cleaned up.
  expect(index.turnover).toBe(0)
  let count = 1
  while (!steps.next().done) count++
  expect(index.turnover).toBeCloseTo(changed / rows)
  // No step mends the links of more than 64 rows.
  expect(count).toBeGreaterThan((rows + changed) / 64)
  index.free()
})

it('an index that was saved while rows were added can be loaded', async () => {
  const { index, steps } = await replaced()
  const { index: same, steps: sameSteps } = await replaced()
  steps.next()
  for (let id = 0; id < changed; id++) index.add(vector(), `late ${id}`)
  index.free()
  const contents = finish(steps)
  const loaded = ForestIndex.fromContents(contents, { engine })
  expect([loaded.rows, loaded.rowNumbers]).toEqual([rows, rows + changed])
  expect(contents).toEqual(finish(sameSteps))
  for (const one of [same, loaded]) one.free()
})

it('an index that changes while it is saved keeps its own votes and links', async () => {
  const { index, steps } = await replaced()
  steps.next()
  const query = index.vector(rows)
  expect(index.search(query, { k: 1 })[0]?.id).toBe(rows)
  index.remove(rows)
  while (!steps.next().done);
  expect(index.turnover).toBe(0)
  const nearest = index.search(query, { k: 10 }).map(({ id }) => id)
  index.contents()
  expect(index.turnover).toBeCloseTo(changed / rows)
  expect(nearest).not.toContain(rows)
  expect(index.search(query, { k: 10 }).map(({ id }) => id)).not.toContain(rows)
  index.free()
})
