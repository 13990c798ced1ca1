import { describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { Pauses } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { ForestIndex } from '../forest/forest-index.ts'
import { describeIndex } from '../index.cases.ts'
import { ExactIndex } from './exact-index.ts'

describeIndex('ExactIndex', {
  fit: (rows, options) => ExactIndex.fit(rows, options),
  load: (path, place) => ExactIndex.load(path, place),
  fromContents: (contents, place) => ExactIndex.fromContents(contents, place),
  recallFloor: 1,
})

describe('a page that fits an ExactIndex of many rows', () => {
  const many = () => new DenseMatrix(1000, 256, new Float32Array(256_000).fill(1))

  /** Long work gives way as soon as it can, as others have waited long enough. */
  function keepOthersWaiting(): void {
    expect(new Pauses({}).due).toBe(false)
    for (const end = performance.now() + 60; performance.now() < end; );
  }

  it('can stop it: copying rows into the engine gives way', async () => {
    const [stop, engine] = [new AbortController(), new Engine()]
    await new Promise(resume => setTimeout(resume, 0))
    keepOthersWaiting()
    setImmediate(() => stop.abort()) // before the pause, which is an immediate too; a timer may be later
    await expect(ExactIndex.fit(many(), { engine, signal: stop.signal })).rejects.toMatchObject({ code: 'ABORTED' })
    expect(engine.arena.usedBytes).toBe(0)
  })

  it('gets the rows as they were when it asked, whatever it does to them meanwhile', async () => {
    const rows = many()
    await new Promise(resume => setTimeout(resume, 0))
    keepOthersWaiting()
    setImmediate(() => rows.values.fill(7))
    const index = await ExactIndex.fit(rows, { engine: new Engine() })
    expect([rows.values[0], index.vector(999)[255]]).toEqual([7, 1])
    index.free()
  })
})

describe('Euclidean rows so short that their distances would be 0', () => {
  const tiny = [
    [0, 0],
    [1e-24, 0],
    [3e-24, 1e-24],
  ]

  it('are refused by ExactIndex and ForestIndex, which says what to do', async () => {
    const refusal = { code: 'BAD_DATA', message: expect.stringContaining('your longest row has length 3.2e-24') }
    await expect(ExactIndex.fit(tiny)).rejects.toMatchObject(refusal)
    await expect(ForestIndex.fit(tiny)).rejects.toMatchObject(refusal)
  })

  it('have the right distances by cosine, times 10²⁴, and beside longer rows', async () => {
    const cosine = await ExactIndex.fit(tiny.slice(1), { metric: 'cosine' })
    expect(cosine.search([5e-24, 0], { k: 2 })[1]?.distance).toBeCloseTo(1 - 3 / Math.sqrt(10), 6)
    const scaled = await ExactIndex.fit(tiny.map(row => row.map(value => value * 1e24)))
    expect(scaled.search([2, 0], { k: 3 }).map(({ id }) => id)).toEqual([1, 2, 0])
    const beside = await ExactIndex.fit([...tiny, [1, 0]])
    expect(beside.search([1, 0], { k: 1 })).toEqual([{ id: 3, distance: 0 }])
  })
})
