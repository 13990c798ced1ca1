import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineError } from '../errors.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import { SparseMatrix } from '../matrix/sparse-matrix.ts'
import { TextRows } from '../matrix/text-rows.ts'
import { writeModel } from '../store/files/model-file.ts'
import { netKind } from './net/kind.ts'
import { defaultIndexKind, findIndexKind, indexKinds, loadIndex, registerIndexKind, saveIndex } from './registry.ts'

/** Three rows of each layout: the first is nearest to itself, then the second, then the third. */
const rows = {
  dense: DenseMatrix.from([
    [3, 4],
    [3, 5],
    [9, 12],
  ]),
  sparse: SparseMatrix.from([
    [[0, 1]],
    [
      [0, 1],
      [1, 1],
    ],
    [
      [0, 1],
      [1, 3],
    ],
  ]),
  text: new TextRows(['Miller', 'Müller', 'Smith']),
}

/** Before anything is registered. */
const ownKinds = indexKinds()
const noText = () => defaultIndexKind('text')
const hintForTexts = hintOf(noText)
registerIndexKind(netKind)

function hintOf(call: () => unknown): string | undefined {
  try {
    call()
    return undefined
  } catch (error) {
    return error instanceof EngineError ? error.hint : undefined
  }
}

describe('the registry of indexes', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vicinal-index-registry-'))
  })

  afterAll(() => rm(folder, { recursive: true }))

  it('knows an index for dense and one for sparse vectors', () => {
    expect(indexKinds()).toEqual(expect.arrayContaining(['exact', 'inverted']))
    expect([defaultIndexKind('dense').data, defaultIndexKind('sparse').data]).toEqual(['dense', 'sparse'])
  })

  it('knows the forest for sparse vectors by the name of the other too, and chooses the inverted index for them', () => {
    const named = (name: string, data?: 'dense' | 'sparse') => findIndexKind(name, data).name
    expect([named('forest'), named('forest', 'dense'), named('forest', 'sparse')]).toEqual([
      ...['forest', 'forest', 'sparse-forest'],
    ])
    expect([named('sparse-forest', 'dense'), named('exact', 'sparse')]).toEqual(['sparse-forest', 'exact'])
    expect([defaultIndexKind('dense').name, defaultIndexKind('sparse').name]).toEqual(['forest', 'inverted'])
  })

  it.each(indexKinds())('fits the kind %s by name, and loads it by what the file says', async name => {
    const kind = findIndexKind(name)
    const path = join(folder, name)
    const vectors = rows[kind.data]
    const index = await kind.fit(vectors, { ids: ['a', 'b', 'c'] })
    const options = await saveIndex(path, { index, buildSeconds: 1.5 })
    const opened = await loadIndex(path)
    expect([opened.kind, opened.buildSeconds]).toEqual([kind, 1.5])
    expect(opened.options).toEqual(options)
    expect(opened.index.search(vectors.row(0), { k: 3 }).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(opened.index.search(vectors.row(0), { k: 3 })).toEqual(index.search(vectors.row(0), { k: 3 }))
    index.free()
    opened.index.free()
  })

  it.each(indexKinds())('knows the true neighbors of the kind %s, and what to try', async name => {
    const kind = findIndexKind(name)
    const index = await kind.fit(rows[kind.data])
    const { rows: found, counts } = await kind.truth(index, rows[kind.data].slice(0, 1), { k: 3 })
    expect([Array.from(found), Array.from(counts)]).toEqual([[0, 1, 2], [3]])
    for (const effort of kind.efforts(index)) {
      expect(index.search(rows[kind.data].row(0), { ...effort, k: 1 })).toHaveLength(1)
    }
    expect(kind.efforts(index).length).toBeGreaterThan(0)
    index.free()
  })

  it.each(indexKinds())('takes every option of the kind %s by its default', async name => {
    const kind = findIndexKind(name)
    const index = await kind.fit(rows[kind.data], kind.defaults)
    expect(index.contents().options).toMatchObject({ metric: kind.defaults.metric })
    index.free()
  })

  it('takes bytes for dense vectors', async () => {
    const index = await findIndexKind('exact').fit(new DenseMatrix(2, 2, Uint8Array.of(0, 0, 3, 4)))
    expect(index.search([0, 0])).toEqual([
      { id: 0, distance: 0 },
      { id: 1, distance: 5 },
    ])
    index.free()
  })

  it('has the net once it is registered, and tells where it is before', () => {
    expect(indexKinds()).toEqual([...ownKinds, 'net'])
    expect(hintForTexts).toBe(
      'Known kinds: forest, exact, inverted, sparse-forest. The net is in @vicinal/core/margin.',
    )
    expect(() => registerIndexKind(netKind)).toThrow('there is already a kind of index called net')
  })

  it.each(indexKinds())('searches the kind %s by the options that it names, and by their defaults', async name => {
    const kind = findIndexKind(name)
    const index = await kind.fit(rows[kind.data])
    const query = rows[kind.data].row(0)
    expect(index.search(query, { ...kind.searchDefaults(index), k: 3 })).toEqual(index.search(query, { k: 3 }))
    expect(Object.keys(kind.searchDefaults(index))).toEqual(
      {
        forest: ['trees', 'threshold', 'probes', 'rerank', 'walk', 'exact'],
        'sparse-forest': ['trees', 'probes', 'threshold', 'candidates'],
        inverted: ['algorithm'],
        net: ['tolerance'],
      }[name] ?? [],
    )
    index.free()
  })

  it('fits a net over texts and over sparse vectors too', async () => {
    expect(defaultIndexKind('text').name).toBe('net')
    for (const layout of ['text', 'sparse'] as const) {
      const path = join(folder, `net-${layout}`)
      const index = await findIndexKind('net').fit(rows[layout])
      await saveIndex(path, { index, buildSeconds: 1 })
      const opened = await loadIndex(path)
      expect(opened.index.layout).toBe(layout)
      expect(opened.index.search(rows[layout].row(0), { k: 3 }).map(({ id }) => id)).toEqual([0, 1, 2])
    }
  })

  it('says nothing about the time where the file does not', async () => {
    const path = join(folder, 'timeless')
    const index = await findIndexKind('exact').fit(rows.dense)
    await index.save(path)
    const opened = await loadIndex(path)
    expect(opened.buildSeconds).toBeNull()
    index.free()
    opened.index.free()
  })

  it('refuses vectors of the other layout', async () => {
    await expect(findIndexKind('exact').fit(rows.sparse)).rejects.toMatchObject({
      code: 'BAD_DATA',
      message: 'the vectors are sparse, the index kind "exact" takes dense ones',
    })
    await expect(findIndexKind('inverted').fit(rows.dense)).rejects.toThrow(
      'the vectors are dense, the index kind "inverted" takes sparse ones',
    )
  })

  it('refuses kinds it does not know, and says which there are', async () => {
    const hint = expect.stringContaining('exact')
    expect(() => findIndexKind('hnsw')).toThrow(expect.objectContaining({ code: 'UNKNOWN_NAME', hint }))
    const path = join(folder, 'other')
    await writeModel(path, { method: 'lcif', options: {}, meta: {}, tensors: {} })
    await expect(loadIndex(path)).rejects.toMatchObject({
      code: 'UNKNOWN_NAME',
      message: `${path}: holds an LcifClassifier, not an index`,
      hint: 'Load it with `LcifClassifier.load()` or `loadClassifier()`.',
    })
  })
})
