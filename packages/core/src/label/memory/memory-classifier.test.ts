import { describe, expect, it } from 'vitest'
import { selectRows } from '../../data/dataset.ts'
import { Engine } from '../../kernels/engine.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { Random } from '../../random.ts'
import type { ModelContents } from '../../store/header.ts'
import { packNames } from '../../store/stored-parts.ts'
import { tensor1d } from '../../store/tensor.ts'
import { describeClassifier } from '../classifier.cases.ts'
import { shelf, vectors } from '../shelf.cases.ts'
import { MemoryClassifier } from './memory-classifier.ts'

const neverUnlearns = 'routers, the scorer and the models of labels have learned, and do not unlearn'

// p@1 on the titles: 0.432 and 0.440 measured.
describeClassifier('MemoryClassifier', {
  fit: (dataset, options) => MemoryClassifier.fit(dataset, options),
  load: path => MemoryClassifier.load(path),
  titlesFloor: 0.42,
  neverUnlearns,
})

describeClassifier('MemoryClassifier by the nearest memory', {
  fit: (dataset, options) => MemoryClassifier.fit(dataset, { ...options, inference: 'nearest' }),
  load: path => MemoryClassifier.load(path),
  titlesFloor: 0.42,
  neverUnlearns,
})

/** Each row with one label. */
const classes = { ...shelf, labels: LabelMatrix.from([[0], [0], [0], [0], [1], [1], [1], [1], [2], [2], [3], [3]], 4) } // biome-ignore format: one list

describe('MemoryClassifier', () => {
  it('takes the label of the best memory where every row has one label, and explains with it', async () => {
    const model = await MemoryClassifier.fit(classes)
    const [best] = model.predict('bread recipes')
    expect(best?.label).toBe('baking')
    const reasons = model.explain('bread recipes', 'baking')
    expect(reasons.features).toEqual([])
    expect(reasons.neighbors).toEqual([
      { id: 'c2', text: 'bread recipes', similarity: expect.closeTo(1, 6), share: reasons.score },
    ])
    expect(Math.fround(reasons.score)).toBe(best?.score)
    model.free()
  })

  it('names memories and features where labels have models of their own', async () => {
    const model = await MemoryClassifier.fit(shelf)
    const { neighbors, features } = model.explain('ships of the sea', 'shipping')
    expect(neighbors.map(({ id }) => id)).toContain('s1')
    expect(features.map(({ feature }) => feature)).toContain('ships')
    model.free()
  })

  it('finds the labels of stored rows where every label occurs once', async () => {
    const random = new Random(1)
    const items = Array.from({ length: 80 }, (_, i) => ({
      text: Array.from({ length: 6 }, () => `word${random.below(60)}`).join(' '),
      labels: [`a${i}`, `b${i}`],
    }))
    const model = await MemoryClassifier.fit(items)
    const found = items.filter(({ text, labels }) => labels.includes(model.predict(text)[0]?.label ?? ''))
    expect(found.length).toBe(80) // 0 if votes may speak against a label
    model.free()
  })

  it('learns by reward: supervised passes change what it answers, the first alone does not', async () => {
    const scores = async (passes: number) => {
      const model = await MemoryClassifier.fit(classes, { passes })
      const [found] = model.predict('history of bread')
      const { rewards } = model.stats()
      model.free()
      return { score: found?.score, rewards }
    }
    const [stored, taught] = [await scores(1), await scores(4)]
    expect(stored.rewards).toBe(0)
    expect(taught.rewards).toBeGreaterThan(12)
    expect(taught.score).not.toBe(stored.score)
  })

  it('keeps rows without features, which nothing finds, and gives them back', async () => {
    const bare = { ...shelf, texts: shelf.texts!.map((text, i) => (i === 11 ? '' : text)) }
    const model = await MemoryClassifier.fit(bare)
    expect([model.rows, ...model.labelCounts()]).toEqual([12, 4, 4, 4, 2])
    expect(model.remove(['g2'])).toBe(1)
    expect([model.rows, ...model.labelCounts()]).toEqual([11, 4, 4, 4, 1])
    model.free()
  })

  it('gives added rows ids that are free', async () => {
    const model = await MemoryClassifier.fit(vectors)
    expect(model.remove([7])).toBe(1)
    model.partialFit({ ...vectors, name: 'more' })
    expect(model.rows).toBe(15)
    expect(model.remove([8, 9, 10, 11, 12, 13, 14, 15])).toBe(8)
    model.free()
  })

  it('gives added rows the same ids when it was stored and read in between', async () => {
    const model = await MemoryClassifier.fit(vectors)
    expect(model.remove([7])).toBe(1)
    const loaded = MemoryClassifier.fromContents(model.contents())
    for (const either of [model, loaded]) either.partialFit(selectRows(vectors, [0]))
    expect([model.remove([7]), loaded.remove([7])]).toEqual([0, 0])
    expect([model.remove([8]), loaded.remove([8])]).toEqual([1, 1])
    model.free()
    loaded.free()
  })

  it.each([
    ['passes', 0],
    ['probes', -1],
    ['inference', 'magic'],
    ['weighting', 'heavy'],
    ['balance', 2],
    ['learner', 'none'],
  ])('refuses %s = %s', async (name, value) => {
    await expect(MemoryClassifier.fit(shelf, { [name]: value })).rejects.toThrow(`${name} is`)
  })

  it('stops at a signal and leaves nothing behind', async () => {
    const engine = new Engine()
    const stop = new AbortController()
    const work = { engine, signal: stop.signal, onProgress: () => stop.abort(), passes: 1000 }
    await expect(MemoryClassifier.fit(shelf, work)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(engine.arena.usedBytes).toBe(0)
  })

  it.each(['weights', 'labelModels', 'memory.history', 'memory.tree0.sizes', 'labelWords'])(
    'refuses a file whose tensor "%s" is missing, and leaves nothing behind',
    async name => {
      const engine = new Engine()
      const model = await MemoryClassifier.fit(shelf, { engine })
      const { [name]: _, ...tensors } = model.contents().tensors
      const contents = { ...model.contents(), tensors }
      model.free()
      expect(() => MemoryClassifier.fromContents(contents, { engine })).toThrow(
        expect.objectContaining({ code: 'MODEL_DAMAGED' }),
      )
      expect(engine.arena.usedBytes).toBe(0)
    },
  )

  it.each<[problem: string, damage: Partial<Pick<ModelContents, 'meta' | 'tensors'>>]>([
    ['"nextId" is -1', { meta: { nextId: -1 } }],
    ['"nextId" is 2.5', { meta: { nextId: 2.5 } }],
    ['"nextId" is null', { meta: { nextId: null } }],
    ['a row without features is 1,', { meta: { bare: [1, 2] } }],
    ['a row without features is [7,"x"]', { meta: { bare: [[7, 'x']] } }],
    ['a row without features is [null,[0]]', { meta: { bare: [[null, [0]]] } }],
    ['a row without features is ["g2",[4]]', { meta: { bare: [['g2', [4]]] } }],
    ['a row without features is ["g2",[1]]', { meta: { bare: [3, 1].map(label => ['g2', [label]]) } }],
    ['what votes count', { meta: { votes: true } }],
    ['what votes count', { meta: { votes: { weight: '1', squares: 1 } } }],
    ['what votes count', { meta: { votes: { weight: 1 } } }],
    ['its models are not those of 4 labels', { tensors: { labelModels: tensor1d(Uint32Array.of(0, 1, 2, 4)) } }],
    ['its models are not those of 4 labels', { tensors: { labelModels: tensor1d(Uint32Array.of(0, 2, 1, 3)) } }],
    ['its models are not those of 4 labels', { tensors: { labelModels: tensor1d(Uint32Array.of(0, 1, 1, 3)) } }],
    ['more models than labels', { tensors: { labelModels: tensor1d(Uint32Array.of(0, 1, 2)) } }],
    ['a text belongs to [1]', { tensors: packNames('textIds', Array<string>(12).fill('[1]')) }],
  ])('refuses a file where %s, and leaves nothing behind', async (problem, damage) => {
    const engine = new Engine()
    const model = await MemoryClassifier.fit(shelf, { engine })
    const { meta, tensors, ...others } = model.contents()
    model.free()
    const contents = { ...others, meta: { ...meta, ...damage.meta }, tensors: { ...tensors, ...damage.tensors } }
    expect(() => MemoryClassifier.fromContents(contents, { engine })).toThrow(
      expect.objectContaining({ code: 'MODEL_DAMAGED', message: expect.stringContaining(problem) }),
    )
    expect(engine.arena.usedBytes).toBe(0)
  })
})
