import { describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { Random } from '../../random.ts'
import { contentsInTurns } from '../../store/saveable.ts'
import { ExactIndex } from '../exact/exact-index.ts'
import { ForestIndex } from '../forest/forest-index.ts'

const dims = 16
const vectorsOf = (random: Random, count: number) =>
  Array.from({ length: count }, () => Float32Array.from({ length: dims }, () => random.normal()))

const kinds = [
  ['ExactIndex', (engine: Engine, rows: Float32Array[]) => ExactIndex.fit(rows, { engine, ids: idsOf(rows) })],
  ['ForestIndex', (engine: Engine, rows: Float32Array[]) => ForestIndex.fit(rows, { engine, ids: idsOf(rows) })],
] as const

function idsOf(rows: readonly unknown[]): string[] {
  return rows.map((_, i) => `row ${i}`)
}

describe.each(kinds)('the contents of an %s', (_, fit) => {
  it('are those of the moment when they were asked for, whatever changes before they are collected', async () => {
    const engine = new Engine()
    const random = new Random(3)
    const index = await fit(engine, vectorsOf(random, 3000))
    index.remove('row 7')
    const before = index.contents()
    const collecting = contentsInTurns(index)
    for (const vector of vectorsOf(random, 2000)) index.add(vector)
    for (let row = 0; row < 1500; row++) index.remove(`row ${row}`)
    index.compact()
    index.free()
    expect(await collecting).toEqual(before)
    expect(engine.arena.usedBytes).toBe(0)
  })

  it('hold no memory if they are given up', async () => {
    const engine = new Engine()
    const index = await fit(engine, vectorsOf(new Random(3), 3000))
    const stop = new AbortController()
    const collecting = contentsInTurns(index, { signal: stop.signal }, Promise.resolve())
    index.free()
    stop.abort()
    await expect(collecting).rejects.toMatchObject({ code: 'ABORTED' })
    expect(engine.arena.usedBytes).toBe(0)
  })
})
