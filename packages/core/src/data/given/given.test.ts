import { describe, expect, it } from 'vitest'
import { evaluateClassifier } from '../../label/evaluate-classifier.ts'
import { ForestClassifier } from '../../label/forest/forest-classifier.ts'
import { LcifClassifier } from '../../label/lcif/lcif-classifier.ts'
import { condense } from '../../label/margin/condense.ts'
import { MarginClassifier } from '../../label/margin/margin-classifier.ts'
import { MemoryClassifier } from '../../label/memory/memory-classifier.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { TextRows } from '../../matrix/text-rows.ts'
import { ExactIndex } from '../../search/exact/exact-index.ts'
import { ForestIndex } from '../../search/forest/forest-index.ts'
import { InvertedIndex } from '../../search/inverted/inverted-index.ts'
import { NetIndex } from '../../search/net/net-index.ts'
import { SparseForestIndex } from '../../search/sparse-forest/sparse-forest-index.ts'
import type { LabeledItems } from './labeled.ts'

/** A value as the call's own type: what is wrong with it is the point. */
const as = <T>(value: unknown) => value as T

const corners = [[0, 0], [3, 4], [6, 8]] // biome-ignore format: rows as rows

describe.each([
  ['ExactIndex', ExactIndex],
  ['ForestIndex', ForestIndex],
] as const)('%s', (_, Index) => {
  it.each([
    ['arrays', corners],
    ['Float32Arrays', corners.map(row => Float32Array.from(row))],
    ['Float64Arrays', corners.map(row => Float64Array.from(row))],
    ['bytes', corners.map(row => Uint8Array.from(row))],
    ['a subclass of Array', corners.map(row => class extends Array<number> {}.from(row))],
    ['frozen arrays', Object.freeze(corners.map(row => Object.freeze([...row])))],
    ['a matrix', DenseMatrix.from(corners)],
    ['a data set', { name: 'corners', rows: 3, features: DenseMatrix.from(corners) }],
  ])('takes %s', async (_form, rows) => {
    const index = await Index.fit(rows)
    expect(index.search([3, 3], { k: 2 })).toEqual([
      { id: 1, distance: 1 },
      { id: 0, distance: expect.closeTo(Math.hypot(3, 3), 5) },
    ])
    expect([...(await index.searchBatch([[6, 8]], { k: 1 })).rows]).toEqual([2])
  })

  it('takes objects with ids, and ignores their other fields', async () => {
    const items = corners.map((vector, i) => ({ id: `c${i}`, vector, length: 7 }))
    const index = await Index.fit(items)
    expect(index.search(Float64Array.of(0, 1), { k: 1 })).toEqual([{ id: 'c0', distance: 1 }])
    expect([...(await index.searchBatch(items, { k: 1 })).rows]).toEqual([0, 1, 2])
  })

  it('answers no queries with no answers', async () => {
    const index = await Index.fit(corners)
    expect((await index.searchBatch([])).queries).toBe(0)
  })

  const holes = [1, 2]
  delete holes[0]
  it.each<[string, unknown, string]>([
    ['a text', 'text', "the rows are 'text', expected dense vectors"],
    ['nothing', undefined, 'the rows are undefined, expected dense vectors'],
    ['one vector', [1, 2], 'row 0 is 1, expected a list of numbers'],
    ['sparse rows', SparseMatrix.from([[[0, 1]]]), 'the rows are a SparseMatrix, expected dense vectors'],
    ['texts', [[1, 2], 'ab'], "row 1 is 'ab', expected a list of numbers"],
    ['big integers', [new BigInt64Array(2)], 'row 0 is a BigInt64Array of length 2, expected a list of numbers'],
    ['a hole', [[0, 0], holes], 'row 1, column 0 is missing, expected a finite 32-bit number'],
    ['a text among numbers', [[0, '1']], "row 0, column 1 is '1', expected a finite 32-bit number"],
    ['objects without vectors', [{ id: 1, embedding: [1] }], 'row 0 has no vector: it has id, embedding'],
    ['a mixture', [{ vector: [1] }, [1]], 'row 1 is [1], expected an object like those before it'],
    ['vectors mixed with objects', [[1, 2], { id: 'a', vector: [1, 2] }], 'row 1 is an object, but row 0 is [1, 2]'],
    ['ids of some', [{ id: 1, vector: [1] }, { vector: [2] }], 'the id of row 1 is undefined'],
  ])('refuses %s', async (_form, rows, message) => {
    await expect(Index.fit(as<number[][]>(rows))).rejects.toThrow(message)
  })

  it('adds an object as fit takes it, and counts it in rows', async () => {
    const index = await Index.fit(corners)
    expect(index.add({ id: 'new', vector: [9, 9] })).toBe('new')
    expect(index.add({ vector: [8, 9] })).toBe(4)
    expect(index.add({ vector: [7, 9] }, 'second argument')).toBe('second argument')
    expect(index.rows).toBe(6)
    expect(index.search([9, 9], { k: 2, filter: ['new', 0] }).map(({ id }) => id)).toEqual(['new', 0])
    expect(() => index.add({ id: 'a', vector: [1, 1] }, 'b')).toThrow('you gave the id twice')
    expect(() => index.add({ id: 'new', vector: [1, 1] })).toThrow('the id "new" appears twice')
    expect(() => index.add(as<{ vector: number[] }>({ id: 'a', values: [1] }))).toThrow(
      'the row has no vector: it has id',
    )
    expect(index.rows).toBe(6)
  })

  it('refuses ids that are given twice', async () => {
    await expect(Index.fit([{ id: 1, vector: [1] }], { ids: [1] })).rejects.toThrow('you gave ids twice')
  })
})

describe.each([
  ['InvertedIndex', InvertedIndex],
  ['SparseForestIndex', SparseForestIndex],
] as const)('%s', (_, Index) => {
  it.each([
    [
      'lists',
      [
        { indices: [0, 2], values: [3, 4] },
        { indices: [1], values: [1] },
      ],
    ],
    [
      'pairs in any order',
      [
        [
          [2, 4],
          [0, 3],
        ],
        [[1, 1]],
      ],
    ],
    [
      'maps',
      [
        new Map([
          [2, 4],
          [0, 3],
        ]),
        new Map([[1, 1]]),
      ],
    ],
    [
      'objects',
      [
        {
          vector: [
            [0, 3],
            [2, 4],
          ],
        },
        { vector: [[1, 1]] },
      ],
    ],
    [
      'a matrix',
      SparseMatrix.from([
        [
          [0, 3],
          [2, 4],
        ],
        [[1, 1]],
      ]),
    ],
  ] as const)('takes %s', async (_form, rows) => {
    // biome-ignore format: rows as rows
    const index = await Index.fit(rows)
    expect(index.search([[2, 1]], { k: 1 })).toEqual([{ id: 0, distance: expect.closeTo(0.2, 5) }])
    expect(index.search({ indices: [1], values: [5] })).toEqual([{ id: 1, distance: expect.closeTo(0, 5) }])
    expect([...(await index.searchBatch([new Map([[1, 1]])], { k: 1 })).rows]).toEqual([1])
  })

  it('takes ids with the vectors', async () => {
    const index = await Index.fit([{ id: 'a', vector: [[0, 1]] }, { id: 'b', vector: [[1, 1]] }]) // biome-ignore format: rows as rows
    expect(index.search([[1, 2]]).map(({ id }) => id)).toEqual(['b'])
    index.add({ indices: [1], values: [1] }, 'c')
    expect(index.add({ id: 'd', vector: [[0, 1]] })).toBe('d')
    expect(index.add({ vector: { indices: [0], values: [1] } })).toBe(4)
    expect(index.rows).toBe(5)
    expect(index.search([[1, 2]], { filter: ['c', 'a'] }).map(({ id }) => id)).toEqual(['c'])
  })

  it('refuses dense vectors, and says what it takes', async () => {
    await expect(Index.fit(as<[]>([[1, 2, 3]]))).rejects.toMatchObject({
      message: 'row 0 is a dense vector, expected a sparse vector',
      hint: expect.stringContaining('{ indices, values }'),
    })
    const index = await Index.fit([[[0, 1]]])
    expect(() => index.search(as<[]>('text'))).toThrow("the query is 'text', expected a sparse vector")
    expect(() => index.search([[0.5, 1]])).toThrow('the feature of pair 0 is 0.5, expected a whole number')
  })

  it('says that a feature is there twice, not that pairs are out of order', async () => {
    const twice = [[4, 1], [2, 1], [4, 3]] as const // biome-ignore format: a row as a row
    await expect(Index.fit([[[0, 1]], twice])).rejects.toThrow('row 1 has index 4 twice, expected it once')
    const index = await Index.fit([[[7, 1]]])
    expect(() => index.search(twice)).toThrow('the query has feature 4 twice, expected it once')
    expect(() => index.search({ indices: [4, 2], values: [1, 1] })).toThrow('feature 2 after 4, expected ascending')
  })
})

describe('NetIndex', () => {
  it.each([
    ['texts', ['sea', 'ship'], 'see', 0],
    [
      'objects with texts',
      [
        { id: 0, text: 'sea' },
        { id: 1, text: 'ship' },
      ],
      'see',
      0,
    ],
    ['rows of texts', new TextRows(['sea', 'ship']), 'see', 0],
    ['vectors', corners, [3, 5], 1],
    ['objects with vectors', corners.map((vector, id) => ({ id, vector })), [3, 5], 1],
    ['sparse vectors', [[[0, 1]], [[5, 1]]], [[5, 2]], 1],
  ] as const)('takes %s', async (_form, items, query, nearest) => {
    // biome-ignore format: rows as rows
    const index = await NetIndex.fit(items)
    expect(index.search(query, { k: 1 })[0]?.id).toBe(nearest)
  })

  it('takes items of your own with ids', async () => {
    const metric = { name: 'gap', distance: (a: number, b: number) => Math.abs(a - b) }
    const index = await NetIndex.fit([{ id: 'one', item: 1 }, { id: 'nine', item: 9 }], { metric }) // biome-ignore format: rows as rows
    expect(index.search(7, { k: 1 })).toEqual([{ id: 'nine', distance: 2 }])
    expect(index.add({ id: 'seven', item: 7 })).toBe('seven')
    expect(index.search(7, { k: 1, filter: ['seven', 'one'] })).toEqual([{ id: 'seven', distance: 0 }])
  })

  it('adds objects as fit takes them, and counts them in rows', async () => {
    const names = await NetIndex.fit(['sea', 'ship'])
    expect(names.add({ id: 'b', text: 'boat' })).toBe('b')
    expect([names.rows, names.search('boats', { k: 1 })[0]?.id]).toEqual([3, 'b'])
    const points = await NetIndex.fit(corners)
    expect(points.add({ vector: [9, 9] })).toBe(3)
    expect(points.search([9, 8], { k: 1 })[0]?.id).toBe(3)
  })
})

const texts = Array.from({ length: 12 }, (_, i) => ({
  ...{ id: i, text: i % 2 ? `ships sail far ${i}` : `birds fly high ${i}`, labels: i % 2 ? ['sea'] : ['air', 'wing'] },
}))
const vectors = Array.from({ length: 12 }, (_, i) => ({
  ...{ vector: i % 2 ? [5 + i / 10, -1] : [-5, 1 + i / 10], labels: i % 2 ? ['sea'] : ['air'] },
}))

describe.each([
  ['LcifClassifier', LcifClassifier],
  ['ForestClassifier', ForestClassifier],
  ['MarginClassifier', MarginClassifier],
  ['MemoryClassifier', MemoryClassifier],
] as const)('%s', (_, Method) => {
  it('does not drop an item of new words in silence: partialFit refuses it, and changes nothing', async () => {
    const model = await Method.fit(texts)
    const rows = model.rows
    const items = [
      { id: 'known', text: 'ships sail far', labels: ['sea'] },
      { id: 'new', text: 'quokka', labels: ['zoo'] },
    ]
    if (model instanceof MarginClassifier)
      model.partialFit(items) // it compares letters: no word is unknown
    else {
      expect(() => model.partialFit(items)).toThrow(
        expect.objectContaining({
          code: 'BAD_DATA',
          message: "item 1 (id 'new') has no word that the model knows: there is nothing to learn from it",
        }),
      )
      expect([model.rows, model.labelNames.includes('zoo')]).toEqual([rows, false])
    }
    model.free()
  })

  it('learns from texts with labels, and removes them by their ids', async () => {
    const model = await Method.fit(texts)
    expect(model.predict('ships sail far 1', { top: 1 })[0]?.label).toBe('sea')
    model.partialFit([{ id: 'new', text: 'trains roll far on rails', labels: ['land'] }])
    expect(model.labelNames).toEqual(['air', 'wing', 'sea', 'land'])
    expect(model.remove([3, 'new', 'unknown'])).toBe(2)
    const held = texts.slice(0, 4)
    expect((await evaluateClassifier(model, held)).metrics['p@1']).toBe(1)
    expect((await model.predictBatch(held)).rows).toBe(4)
  })

  it('learns from vectors with labels', async () => {
    const model = await Method.fit(vectors)
    expect(model.predict([5, -1], { top: 1 })[0]?.label).toBe('sea')
    expect(model.predict(Float64Array.of(-5, 1), { top: 1 })[0]?.label).toBe('air')
    expect(model.predict([[0, 5], [1, -1]], { top: 1 })[0]?.label).toBe('sea') // biome-ignore format: rows as rows
    expect(() => model.predict('a text')).toThrow('the model was fitted on vectors')
  })

  it('predicts and explains an object like those it learned from', async () => {
    const model = await Method.fit(texts)
    const text = 'ships sail far 1'
    expect(model.predict({ text })).toEqual(model.predict(text))
    expect(model.explain({ text })).toEqual(model.explain(text))
    expect(() => model.predict({ vector: [1, 2] })).toThrow('the item is [1, 2], but the model was fitted on texts')
    expect(() => model.predict(as<{ text: string }>({ title: 'a' }))).toThrow('the item has no text: it has title')
    const ofVectors = await Method.fit(vectors)
    expect(ofVectors.predict({ vector: [5, -1] })).toEqual(ofVectors.predict([5, -1]))
    expect(() => ofVectors.predict({ text })).toThrow('a text was given, but the model was fitted on vectors')
  })

  it('explains the best label where none is named', async () => {
    const model = await Method.fit(texts)
    const [best] = model.predict('ships sail far 1')
    expect(model.explain('ships sail far 1')).toEqual(model.explain('ships sail far 1', best?.label))
    expect(() => model.explain('ships', as<string>(7))).toThrow('label is 7, expected the name of a label')
  })

  it('suggests no label that is nothing like the unknown one', async () => {
    const model = await Method.fit(texts)
    const refused = (label: string, hint: string) =>
      expect(() => model.explain('ships', label)).toThrow(expect.objectContaining({ code: 'UNKNOWN_NAME', hint }))
    refused('nope', 'The model knows the labels "air", "wing", "sea".')
    refused('aire', 'Did you mean "air"?')
    model.free()
  })

  it('refuses a vector where it was fitted on texts', async () => {
    const model = await Method.fit(texts)
    expect(() => model.predict([1, 2, 3])).toThrow('the item is [1, 2, 3], but the model was fitted on texts')
    await expect(model.predictBatch([[1, 2]])).rejects.toThrow('but the model was fitted on texts')
    await expect(model.predictBatch(as<[]>('text'))).rejects.toThrow("the items are 'text', expected texts or vectors")
  })

  it.each<[string, unknown, string]>([
    ['a text', 'text', "you gave 'text', expected texts or vectors with labels"],
    ['nothing', null, 'you gave null, expected texts or vectors with labels'],
    ['bare texts', ['a'], "item 0 is 'a', expected texts or vectors with labels"],
    ['no labels', [{ text: 'a' }], 'item 0 has no labels: it has text'],
    ['only empty labels', [{ text: 'a', labels: [] }], 'the list of items has no labels to learn from'],
    ['wrong labels', [{ text: 'a', labels: 5 }], 'the labels of item 0 are 5, expected a list of names'],
    ['an empty label', [{ text: 'a', labels: [''] }], "item 0 has the label '', expected a name"],
    ['a repeated label', [{ text: 'a', labels: ['b', 'b'] }], "item 0 has the label 'b' twice"],
    ['a text and a vector', [{ text: 'a', vector: [1], labels: ['b'] }], 'item 0 has a text and a vector'],
    ['a text that is none', [{ text: 1, labels: ['b'] }], 'the text of item 0 is 1, expected a text'],
    [
      'vectors of two lengths',
      [
        { vector: [1], labels: 'a' },
        { vector: [1, 2], labels: 'b' },
      ],
      'item 1 has 2 values',
    ],
    ['a wrong data set', { name: 'x', rows: 1, texts: 'a' }, "the data set's texts is 'a', expected a list of strings"],
  ])('refuses %s', async (_form, items, message) => {
    await expect(Method.fit(as<LabeledItems>(items))).rejects.toThrow(message)
  })
})

it('does not speak of columns to those who give objects without labels', async () => {
  const hint = "Give at least one item labels, such as labels: ['a', 'b']."
  await expect(LcifClassifier.fit([{ text: 'a', labels: [] }])).rejects.toMatchObject({ code: 'EMPTY_DATA', hint })
  const model = await LcifClassifier.fit(texts)
  await expect(evaluateClassifier(model, [{ text: 'a', labels: [] }])).rejects.toMatchObject({ hint })
})

it('condenses items, and tunes on them', async () => {
  const { dataset } = await condense(vectors, { keep: 'separated' })
  expect(dataset.labelNames).toEqual(['air', 'sea'])
  const { classifier } = await ForestClassifier.tune(vectors, { metric: 'p@1', trees: 2 })
  expect(classifier.rows).toBe(12)
})
