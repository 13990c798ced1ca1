import { describe, expect, it } from 'vitest'
import { LcifClassifier } from '../label/lcif/lcif-classifier.ts'
import { MarginClassifier } from '../label/margin/margin-classifier.ts'
import { loadClassifier } from '../label/registry.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import { ExactIndex } from './exact/exact-index.ts'
import { NetIndex } from './net/net-index.ts'
import { loadIndex } from './registry.ts'

const rows = 600_000
const matrix = new DenseMatrix(
  rows,
  1,
  Float32Array.from({ length: rows }, (_, i) => i),
)
const ids = Array.from({ length: rows }, (_, i) => `item ${i}`)

/** How often other code ran until the promise settled. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false]
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await work.finally(() => {
    isDone = true
  })
  return turns
}

describe('an index with many ids', () => {
  it('is fitted and loaded while other code runs, and answers the same', async () => {
    const fitting = ExactIndex.fit(matrix, { ids })
    expect(await turnsDuring(fitting)).toBeGreaterThan(3)
    const index = await fitting
    const loading = ExactIndex.fromBytes(index.toBytes())
    expect(await turnsDuring(loading)).toBeGreaterThan(3)
    const loaded = await loading
    expect(loaded.search([77.2], { k: 2 })).toEqual(index.search([77.2], { k: 2 }))
    expect(loaded.search([rows - 1], { k: 1 })[0]?.id).toBe(`item ${rows - 1}`)
    loaded.remove('item 77')
    expect(loaded.search([77.2], { k: 1 })[0]?.id).toBe('item 78')
    // Loading the same bytes again is another index.
    const bytes = index.toBytes()
    const [first, second] = [await ExactIndex.fromBytes(bytes), await ExactIndex.fromBytes(bytes)]
    first.remove('item 77')
    expect(second.search([77], { k: 1 })[0]?.id).toBe('item 77')
    for (const one of [index, loaded, first, second]) one.free()
  })

  it('keeps its ids, though the list that it was given changes in the pauses', async () => {
    const mine = [...ids]
    const fitting = ExactIndex.fit(matrix, { ids: mine })
    setImmediate(() => mine.fill('changed'))
    const index = await fitting
    expect(index.search([rows - 1], { k: 1 })[0]?.id).toBe(`item ${rows - 1}`)
    index.free()
  })

  it('stops loading when the signal says so', async () => {
    const index = await ExactIndex.fit(matrix, { ids })
    const bytes = index.toBytes()
    index.free()
    const stop = new AbortController()
    const loading = loadIndex(bytes, { signal: stop.signal })
    setImmediate(() => stop.abort())
    await expect(loading).rejects.toMatchObject({ code: 'ABORTED' })
  })
})

describe('a net with many texts', () => {
  // Equal texts share a node, so that fitting takes no time.
  const texts = ids.map(id => ({ id, text: 'the same' }))

  it('is loaded while other code runs, and stops when the signal says so', async () => {
    const bytes = (await NetIndex.fit(texts)).toBytes()
    const loading = NetIndex.fromBytes(bytes)
    expect(await turnsDuring(loading)).toBeGreaterThan(3)
    expect((await loading).search('the same', { k: 2 }).map(({ id }) => id)).toEqual(['item 0', 'item 1'])
    const stop = new AbortController()
    const stopped = NetIndex.fromBytes(bytes, { signal: stop.signal })
    setImmediate(() => stop.abort())
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' })
    await expect(NetIndex.load('nowhere', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('labels items after it was loaded while other code runs, and stops when the signal says so', async () => {
    const labeled = texts.slice(0, 50_000).map(item => ({ ...item, labels: ['same'] }))
    const bytes = (await MarginClassifier.fit(labeled, { gap: 0 })).toBytes()
    const loading = MarginClassifier.fromBytes(bytes)
    expect(await turnsDuring(loading)).toBeGreaterThan(2)
    expect((await loading).predict('the same')[0]?.label).toBe('same')
    const stop = new AbortController()
    const stopped = MarginClassifier.fromBytes(bytes, { signal: stop.signal })
    setImmediate(() => stop.abort())
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' })
    const none = MarginClassifier.load('nowhere', { signal: AbortSignal.abort() })
    await expect(none).rejects.toMatchObject({ code: 'ABORTED' })
  })
})

it('loadClassifier stops when the signal says so, and refuses unknown options', async () => {
  const model = await LcifClassifier.fit([{ text: 'old ships', labels: ['ships'] }])
  const bytes = model.toBytes()
  await expect(loadClassifier(bytes, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
  await expect(LcifClassifier.fromBytes(bytes, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'ABORTED',
  })
  await expect(loadClassifier(bytes, { sginal: AbortSignal.abort() } as never)).rejects.toThrow(
    'unknown option "sginal"',
  )
  const loaded = await loadClassifier(bytes, { signal: new AbortController().signal })
  expect(loaded.predict('ships')[0]?.label).toBe('ships')
  model.free()
})
