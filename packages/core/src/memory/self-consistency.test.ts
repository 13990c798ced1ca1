// Lemma A.4 of paper 002 on real data: right after INSERT without reroutes, QUERY along the single path finds the memory again.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import { bytesOf, clock } from './memory.cases.ts'
import type { MemoryKey } from './memory-key.ts'
import { MemoryTree } from './memory-tree.ts'

const engine = new Engine()
afterAll(() => engine.close())

const data = join(import.meta.dirname, '../../../../data')
const linesOf = (path: string): string[] => {
  const bytes = readFileSync(join(data, path))
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trim().split('\n')
}

const titles = linesOf('titles-test.tsv.gz')
  .slice(0, 1500)
  .map(line => line.split('\t')[0])

/** Features and values of lines like `4,9 0:1 125:1`. */
const medical = linesOf('xmc/medical-train.txt.gz')
  .slice(1)
  .map(line => {
    const pairs = line
      .split(' ')
      .slice(1)
      .map(pair => pair.split(':').map(Number))
    return {
      indices: Uint32Array.from(pairs, ([feature]) => feature),
      values: Float32Array.from(pairs, ([, value]) => value),
    }
  })

/** fashion.fvecs: before each vector its length, as a 32-bit number. */
const fashion = (() => {
  const { buffer, byteOffset, length } = readFileSync(join(data, 'tiny/fashion.fvecs'))
  const floats = new Float32Array(buffer.slice(byteOffset, byteOffset + length))
  const dims = new Int32Array(floats.buffer)[0]
  return Array.from({ length: floats.length / (dims + 1) }, (_, i) => [
    ...floats.subarray(i * (dims + 1) + 1, (i + 1) * (dims + 1)),
  ])
})()

const sets: [string, readonly MemoryKey[]][] = [
  ['titles', titles],
  ['medical reports', medical],
  ['images', fashion],
]

describe.each(sets)('a memory of %s', (_, keys) => {
  it.each(['logistic', 'squared'])('finds each one right after it came, on one path, with the %s learner', learner => {
    const memory = MemoryTree.create({ engine, clock, retrieval: 'tree', reroutes: 0, learner, leafFactor: 1 })
    expect(keys.length).toBeGreaterThan(5)
    for (const [i, key] of keys.entries()) {
      const id = memory.insert(key, i)
      const [best] = memory.query(key, { k: 'all', probes: 0 })
      const found = memory.query(key, { k: 'all', probes: 0, filter: (_, other) => other === id })
      // It is in the leaf, and no other is better: one with the very same features may stand before it.
      expect([found.length, found[0]?.distance, best.score]).toEqual([1, expect.closeTo(0, 2), found[0]?.score])
    }
    expect(memory.check()).toEqual([])
    memory.free()
  })
})

describe('titles', () => {
  it('are found again by all of their words more often with more reroutes', () => {
    const share = (reroutes: number) => {
      const memory = MemoryTree.create({ engine, clock, retrieval: 'tree', reroutes })
      for (const title of titles) memory.insert(title, title)
      const found = titles.filter(title => memory.query(title, { probes: 0 })[0]?.value === title).length
      memory.free()
      return found / titles.length
    }
    const [none, five] = [share(0), share(5)]
    expect(five).toBeGreaterThan(none)
  })

  it('are all found again on one path after many reroutes and no other change, as A.6 says of the limit', () => {
    const memory = MemoryTree.create({ engine, clock, retrieval: 'tree', reroutes: 0 })
    const unique = [...new Set(titles)].slice(0, 400)
    for (const title of unique) memory.insert(title, title)
    const missed = () => unique.filter(title => memory.query(title, { k: 1, probes: 0 })[0].value !== title).length
    const counts = [missed()]
    for (let round = 0; round < 2; round++) {
      memory.reroute(50 * unique.length)
      counts.push(missed())
    }
    // Measured: 22, then 0.
    expect(counts[0]).toBeGreaterThan(0)
    expect(counts.at(-1)).toBe(0)
    memory.free()
  })

  it('make the same memory in shared and unshared memory', () => {
    const bytes = [engine, new Engine({ shared: false })].map(engine => {
      const memory = MemoryTree.create({ engine, clock })
      for (const title of titles.slice(0, 200)) memory.insert(title, title.length)
      return bytesOf(memory)
    })
    expect(bytes[0] === bytes[1]).toBe(true)
  })
})
