import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ForestClassifier } from './label/forest/forest-classifier.ts'
import { LcifClassifier } from './label/lcif/lcif-classifier.ts'
import { MarginClassifier } from './label/margin/margin-classifier.ts'
import { MemoryClassifier } from './label/memory/memory-classifier.ts'
import { loadClassifier } from './label/registry.ts'
import { MemoryTree } from './memory/memory-tree.ts'
import { ExactIndex } from './search/exact/exact-index.ts'
import { ForestIndex } from './search/forest/forest-index.ts'
import { InvertedIndex } from './search/inverted/inverted-index.ts'
import { NetIndex } from './search/net/net-index.ts'
import { loadIndex } from './search/registry.ts'
import { SparseForestIndex } from './search/sparse-forest/sparse-forest-index.ts'

const rows = Array.from({ length: 12 }, (_, i) => [i, i % 3])
const sparse = rows.map(([a = 0, b = 0]) => [[a, 1], [20 + b, 1]] as const) // biome-ignore format: rows as rows
const items = rows.map((vector, i) => ({ vector, labels: [i % 2 ? 'odd' : 'even'] }))

/** One saved model of each class. */
const makers = {
  ExactIndex: () => ExactIndex.fit(rows),
  ForestIndex: () => ForestIndex.fit(rows),
  InvertedIndex: () => InvertedIndex.fit(sparse),
  SparseForestIndex: () => SparseForestIndex.fit(sparse),
  NetIndex: () => NetIndex.fit(rows),
  LcifClassifier: () => LcifClassifier.fit(items),
  ForestClassifier: () => ForestClassifier.fit(items, { trees: 2 }),
  MarginClassifier: () => MarginClassifier.fit(items),
  MemoryClassifier: () => MemoryClassifier.fit(items),
  MemoryTree: async () => MemoryTree.create(),
}
const classes = {
  ...{ ExactIndex, ForestIndex, InvertedIndex, SparseForestIndex, NetIndex },
  ...{ LcifClassifier, ForestClassifier, MarginClassifier, MemoryClassifier, MemoryTree },
}
type Name = keyof typeof classes
const names = Object.keys(classes) as Name[] // the keys of this object

let folder: string
const fileOf = (name: Name) => join(folder, `${name}.model`)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-kinds-'))
  for (const name of names) {
    const model = await makers[name]()
    await model.save(fileOf(name))
    model.free()
  }
})
afterAll(() => rm(folder, { recursive: true }))

const an = (name: string) => `${/^[AEIOUL]/.test(name) ? 'an' : 'a'} ${name}`
const loaders = (name: Name) =>
  /Index$/.test(name) ? 'loadIndex()' : /Classifier$/.test(name) ? 'loadClassifier()' : ''

describe.each(names)('%s.load of a whole file of another class', name => {
  it.each(names.filter(other => other !== name))('does not call the file damaged: %s loads it', async other => {
    await expect(classes[name].load(fileOf(other))).rejects.toMatchObject({
      code: 'UNKNOWN_NAME',
      message: `${fileOf(other)}: holds ${an(other)}, not ${an(name)}`,
      hint: expect.stringMatching(new RegExp(`^Load it with \`${other}\\.load\\(\\)\`.*`)),
    })
    const hint = await classes[name].load(fileOf(other)).catch((error: { hint: string }) => error.hint)
    expect(hint).toContain(loaders(other))
  })
})

it('says what loadIndex and loadClassifier do not load, and what does', async () => {
  await expect(loadIndex(fileOf('MemoryTree'))).rejects.toMatchObject({
    message: `${fileOf('MemoryTree')}: holds a MemoryTree, not an index`,
    hint: 'Load it with `MemoryTree.load()` (from @vicinal/core/memory).',
  })
  await expect(loadIndex(fileOf('NetIndex'))).rejects.toMatchObject({
    message: `${fileOf('NetIndex')}: holds a NetIndex, which is not registered`,
    hint: 'Load it with `NetIndex.load()` from @vicinal/core/margin, or call registerIndexKind() first.',
  })
  await expect(loadClassifier(fileOf('MarginClassifier'))).rejects.toMatchObject({
    message: `${fileOf('MarginClassifier')}: holds a MarginClassifier, which is not registered`,
    hint: 'Load it with `MarginClassifier.load()` from @vicinal/core/margin, or call registerMethod() first.',
  })
  await expect(loadClassifier(fileOf('ExactIndex'))).rejects.toThrow('holds an ExactIndex, not a classifier')
})
