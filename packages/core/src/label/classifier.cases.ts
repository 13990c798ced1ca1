// What every classifier promises, as tests: a new one runs them with one call of describeClassifier.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Dataset, selectRows } from '../data/dataset.ts'
import { readDataset } from '../data/read-dataset.ts'
import { Pauses } from '../long-work.ts'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { SparseMatrix, type SparseRow } from '../matrix/sparse-matrix.ts'
import { writeModel } from '../store/files/model-file.ts'
import type { Classifier, Items } from './classifier.ts'
import { evaluateClassifier } from './evaluate-classifier.ts'
import { describeLabelNames } from './label-names.cases.ts'
import { shelf, vectors } from './shelf.cases.ts'
import { describeVectors } from './vector.cases.ts'

export interface ClassifierCase {
  fit(dataset: Dataset, options?: { readonly seed?: number; readonly threads?: number }): Promise<Classifier>
  load(path: string): Promise<Classifier>
  /** What p@1 on 243 real titles, learned from 974 others, must reach. Write the measured value beside it. */
  readonly titlesFloor: number
  /** Why a model keeps what it learned from removed rows, if it does: its answers may then differ from before it saw them. */
  readonly neverUnlearns?: string
  /** Whether a model of rows without numbers below 0 takes some later. Default false: they are refused. */
  readonly takesNegative?: boolean
}

const row = (...pairs: [number, number][]): SparseRow => SparseMatrix.from([pairs], 5).row(0)

const questions = ['the ships of rome', 'bread and roses', 'a short history of cookies', 'herbs']

/** Works until long work has to give way. */
function useUpTurn(): void {
  const pauses = new Pauses({})
  while (!pauses.due);
}

export function describeClassifier(name: string, classifierCase: ClassifierCase): void {
  describeVectors(name, classifierCase)
  describeLabelNames(name, classifierCase)
  const { fit, load, titlesFloor, neverUnlearns, takesNegative = false } = classifierCase
  describe(`${name}, as every classifier`, () => {
    let folder: string
    let texts: Classifier
    let rows: Classifier

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vicinal-classifier-'))
      texts = await fit(shelf)
      rows = await fit(vectors)
    })

    afterAll(async () => {
      texts.free()
      rows.free()
      await rm(folder, { recursive: true })
    })

    /** All that a classifier says about the questions. */
    const answers = async (model: Classifier, threads = 1) => ({
      ranked: await model.predictBatch(questions, { top: 4, threads }),
      sets: await model.predictSets(questions, { threads }),
      first: questions.map(question => model.predict(question, { top: 4 })),
    })

    it('knows its rows, labels and how often each occurs', () => {
      expect([texts.rows, texts.labelNames, texts.takesTexts]).toEqual([12, shelf.labelNames, true])
      expect([...texts.labelCounts()]).toEqual([4, 4, 4, 2])
      expect([rows.rows, rows.labelNames, rows.takesTexts]).toEqual([8, ['0', '1', '2', '3'], false])
    })

    it('suggests the label that neighbors share', () => {
      expect(texts.predict('sailing ships')[0]?.label).toBe('shipping')
      expect(texts.predict('recipes for bread')[0]?.label).toBe('baking')
      expect(rows.predict(row([3, 1]))[0]?.label).toBe('3')
    })

    it('orders suggestions by score, ties by label, each label once', () => {
      for (const question of questions) {
        const found = texts.predict(question, { top: 4 })
        const places = found.map(({ label }) => texts.labelNames.indexOf(label))
        expect(new Set(places).size).toBe(found.length)
        for (let i = 1; i < found.length; i++) {
          const [before, after] = [found[i - 1]!, found[i]!]
          expect(before.score > after.score || (before.score === after.score && places[i - 1]! < places[i]!)).toBe(true)
        }
      }
    })

    it('gives the first of the same ranking for every top', () => {
      const all = texts.predict('history of bread', { top: 100 })
      expect(all.length).toBeGreaterThan(1)
      for (let top = 1; top <= all.length; top++) {
        expect(texts.predict('history of bread', { top })).toEqual(all.slice(0, top))
      }
    })

    it('answers a batch as it answers one', async () => {
      const { ranked, first } = await answers(texts)
      expect([...ranked]).toEqual(first)
      first.forEach((suggestions, i) => {
        expect(ranked.suggestions(i)).toEqual(suggestions)
        const from = i * ranked.top
        expect(ranked.counts[i]).toBe(suggestions.length)
        const labels = [...ranked.labels.subarray(from, from + ranked.counts[i]!)].map(label => texts.labelNames[label])
        expect(labels).toEqual(suggestions.map(({ label }) => label))
        const scores = [...ranked.scores.subarray(from, from + ranked.counts[i]!)]
        expect(scores).toEqual(suggestions.map(({ score }) => score))
      })
    })

    it('predicts as sets what passes its thresholds, and never nothing', async () => {
      const sets = await texts.predictSets(questions)
      questions.forEach((question, i) => {
        const passing = texts.predict(question, { top: 4, thresholded: true }).map(({ label }) => label)
        expect(passing.length).toBeGreaterThan(0)
        expect([...sets.row(i)].map(label => texts.labelNames[label]).sort()).toEqual(passing.sort())
      })
    })

    it('has no answer for a text without a known word', async () => {
      expect(texts.predict('xyzzy')).toEqual([])
      expect(texts.predict('')).toEqual([])
      expect([...(await texts.predictBatch(['xyzzy', 'ships'])).counts]).toEqual([0, expect.any(Number)])
      expect((await texts.predictSets(['xyzzy'])).entries).toBe(0)
    })

    it('answers an empty batch', async () => {
      expect((await texts.predictBatch([])).rows).toBe(0)
      expect((await texts.predictSets([])).rows).toBe(0)
    })

    it('leaves its inputs as they were', async () => {
      const before = structuredClone([vectors.features, vectors.labels])
      const item = row([0, 2], [4, 1])
      const copy = structuredClone(item)
      const model = await fit(vectors)
      model.predict(item)
      await model.predictSets(vectors.features as Items)
      model.free()
      expect(structuredClone([vectors.features, vectors.labels])).toEqual(before)
      expect(item).toEqual(copy)
    })

    it('gives the same file for the same seed, on one thread or two', async () => {
      const paths = ['one', 'two'].map(file => join(folder, file))
      for (const [i, path] of paths.entries()) {
        const model = await fit(shelf, { seed: 5, threads: i + 1 })
        await model.save(path)
        model.free()
      }
      const [one, two] = await Promise.all(paths.map(path => readFile(path)))
      expect(one!.equals(two!)).toBe(true)
    })

    it('answers the same after it was saved and loaded', async () => {
      for (const model of [texts, rows]) {
        const path = join(folder, `${model.takesTexts ? 'texts' : 'rows'}.model`)
        await model.save(path)
        const loaded = await load(path)
        expect([loaded.method, loaded.options, loaded.rows]).toEqual([model.method, model.options, model.rows])
        expect(loaded.labelNames).toEqual(model.labelNames)
        if (model.takesTexts) {
          expect(await answers(loaded)).toEqual(await answers(model))
          expect(loaded.explain('ships', 'shipping')).toEqual(model.explain('ships', 'shipping'))
        } else {
          expect(await loaded.predictSets(vectors.features as Items)).toEqual(
            await model.predictSets(vectors.features as Items),
          )
        }
        loaded.free()
      }
    })

    it('says which method a whole file of another one holds', async () => {
      const path = join(folder, 'other.model')
      await writeModel(path, { method: 'other', options: { reach: 3 }, meta: {}, tensors: {} })
      const message = expect.stringContaining('holds a model of the unknown method "other", not a')
      await expect(load(path)).rejects.toMatchObject({ message, hint: expect.stringContaining('loadClassifier') })
    })

    it('answers the same on one thread and on two', async () => {
      expect(await answers(texts, 2)).toEqual(await answers(texts, 1))
    })

    it('knows added rows and labels at once, and forgets removed ones', async () => {
      const model = await fit(shelf)
      const before = await answers(model)
      const added: Dataset = {
        name: 'added',
        rows: 2,
        ids: ['r1', 'r2'],
        texts: ['rome and its harbors', 'the garden of rome'],
        labels: LabelMatrix.from([[0, 1], [0]], 2), // biome-ignore format: rows as rows
        labelNames: ['rome', 'shipping'],
      }
      model.partialFit(added)
      expect(model.rows).toBe(14)
      expect(model.labelNames).toEqual([...shelf.labelNames!, 'rome'])
      expect(model.predict('rome', { top: 5 }).map(({ label }) => label)).toContain('rome')
      expect(model.remove(['r1', 'r2', 'nobody'])).toBe(2)
      expect(model.rows).toBe(12)
      expect([...model.labelCounts()]).toEqual([4, 4, 4, 2, 0])
      for (const label of ['rome', 'shipping']) {
        expect(model.explain('rome and its harbors', label).neighbors.map(({ id }) => id)).not.toContain('r1')
      }
      const after = await answers(model)
      // Without them, a model answers as before it saw them, unless it never unlearns.
      if (neverUnlearns === undefined)
        after.first.forEach((suggestions, i) => {
          expect(suggestions.map(({ label }) => label)).toEqual(before.first[i]!.map(({ label }) => label))
          suggestions.forEach(({ score }, j) => {
            expect(score).toBeCloseTo(before.first[i]![j]!.score, 5)
          })
        })
      model.free()
    })

    it('takes an item that no label fits, and scores its labels no higher', async () => {
      const model = await fit(shelf)
      const text = shelf.texts![0]!
      const before = new Map(model.predict(text, { top: 9 }).map(({ label, score }) => [label, score]))
      model.partialFit([{ id: 'none fits', text, labels: [] }])
      expect([model.rows, [...model.labelCounts()]]).toEqual([13, [4, 4, 4, 2]])
      for (const { label, score } of model.predict(text, { top: 9 })) {
        expect(score).toBeLessThanOrEqual((before.get(label) ?? 0) + 1e-6)
      }
      expect(model.remove(['none fits'])).toBe(1)
      model.free()
    })

    it.each([
      ['before its first item', undefined],
      ['between its items', 1],
    ])('answers a batch as of the call, also if the model changes %s', async (_when, from) => {
      const model = await fit(shelf)
      const items = Array.from({ length: 2500 }, (_, i) => shelf.texts?.[i % 12] ?? '')
      const before = [await model.predictBatch(items), await model.predictSets(items)]
      let changed = false
      const change = () => {
        if (changed) return
        changed = true
        model.partialFit({ ...selectRows(shelf, Uint32Array.of(4, 8)), ids: ['new bread', 'new history'] })
        model.partialFit([{ text: 'harbors of the baltic sea', labels: ['a new label'] }])
        model.remove(['s1', 'c1', 'h1'])
      }
      const onProgress = ({ done }: { done: number }) => from !== undefined && done >= from && change()
      useUpTurn() // so that the batch gives way before it looks at its first item
      const under = [model.predictBatch(items, { onProgress }), model.predictSets(items, { onProgress })]
      if (from === undefined) change()
      expect(await Promise.all(under)).toEqual(before)
      expect(changed).toBe(true)
      expect(await model.predictBatch(items)).not.toEqual(before[0])
      model.free()
    })

    it('refuses rows with an id that is taken, and stays as it was', async () => {
      const model = await fit(shelf)
      const taken = { ...selectRows(shelf, [0, 1]), ids: ['new', 's2'] }
      expect(() => model.partialFit(taken)).toThrow(expect.objectContaining({ code: 'BAD_DATA' }))
      expect(model.rows).toBe(12)
      model.free()
    })

    it('explains a score by shares that add up to it', () => {
      for (const question of questions) {
        for (const { label, score } of texts.predict(question, { top: 4 })) {
          const reasons = texts.explain(question, label)
          const shares = [...reasons.neighbors, ...reasons.features].map(({ share }) => share)
          expect(shares.every(share => share > 0)).toBe(true)
          expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(reasons.score, 9)
          expect(reasons.score).toBeCloseTo(score, 5)
        }
      }
    })

    it('gives suggestions with the reasons that explain gives', () => {
      for (const question of questions) {
        const explained = texts.predict(question, { top: 4, explain: true })
        const plain = texts.predict(question, { top: 4, explain: false })
        expect(explained).toEqual(plain.map(one => ({ ...one, because: texts.explain(question, one.label) })))
        expect(plain.length > 0 && plain.every(one => !('because' in one))).toBe(true)
      }
      expect(texts.predict('xyzzy', { explain: true })).toEqual([])
    })

    it('refuses to name the labels of an item that is not in the batch', async () => {
      const batch = await texts.predictBatch(questions)
      for (const i of [-1, questions.length, 0.5]) {
        expect(() => batch.suggestions(i)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
      }
    })

    it('names the nearest labels where one is not known', () => {
      expect(() => texts.explain('ships', 'shiping')).toThrow(
        expect.objectContaining({ code: 'UNKNOWN_NAME', hint: expect.stringContaining('shipping') }),
      )
    })

    it.each<[string, (model: Classifier) => unknown, string]>([
      ['a number that is none', model => model.predict(row([0, Number.NaN])), 'BAD_DATA'],
      ['a text, fitted on vectors', model => model.predict('ships'), 'INVALID_OPTION'],
      ['a top of 0', model => model.predict(row([0, 1]), { top: 0 }), 'INVALID_OPTION'],
    ])('refuses %s', (_what, ask, code) => {
      expect(() => ask(rows)).toThrow(expect.objectContaining({ code }))
    })

    it(`${takesNegative ? 'takes' : 'refuses'} a negative number`, () => {
      const ask = () => rows.predict({ indices: Uint32Array.of(1), values: Float32Array.of(-1) })
      if (takesNegative) expect(ask()).not.toEqual([])
      else expect(ask).toThrow(expect.objectContaining({ code: 'BAD_DATA' }))
    })

    it.each<[string, Dataset, string]>([
      ['no rows', selectRows(shelf, []), 'EMPTY_DATA'],
      ['no labels', { name: 'bare', rows: 12, texts: shelf.texts! }, 'EMPTY_DATA'],
      ['labels that nobody carries', { ...shelf, labels: LabelMatrix.from(Array(12).fill([]), 4) }, 'EMPTY_DATA'],
      ['neither texts nor features', { name: 'bare', rows: 8, labels: vectors.labels! }, 'EMPTY_DATA'],
      ['parts that disagree', { ...shelf, rows: 11 }, 'DIMENSION_MISMATCH'],
      ['two labels of one name', { ...shelf, labelNames: ['a', 'b', 'a', 'c'] }, 'BAD_DATA'],
    ])('cannot be fitted on %s', async (_what, dataset, code) => {
      await expect(fit(dataset)).rejects.toMatchObject({ code })
    })

    it('can be fitted where every row has every label, on one row, and where rows have no features', async () => {
      const cases: Dataset[] = [
        { ...vectors, labels: LabelMatrix.from(Array(8).fill([0, 1, 2, 3]), 4) },
        selectRows(vectors, [0]),
        { ...vectors, features: SparseMatrix.from([[[0, 1]], [], [], [], [], [], [], []], 5) },
      ]
      for (const dataset of cases) {
        const model = await fit(dataset)
        expect(model.predict(row([0, 1]), { top: 1 })).toHaveLength(1)
        model.free()
      }
    })

    it(`labels real titles: p@1 of at least ${titlesFloor}`, async () => {
      const { training, held } = await readTitles()
      const model = await fit(training)
      const { metrics } = await evaluateClassifier(model, held)
      model.free()
      expect(metrics['p@1']).toBeGreaterThanOrEqual(titlesFloor)
    })
  })
}

let titles: Promise<{ training: Dataset; held: Dataset }> | undefined

/** Those of the bundled titles whose subjects are among the first 100, every fifth held out. Read once. */
function readTitles(): Promise<{ training: Dataset; held: Dataset }> {
  titles ??= readDataset(new URL('../../../../data/titles-train.tsv.gz', import.meta.url).pathname).then(all => {
    const rows = Uint32Array.from({ length: all.rows }, (_, row) => row)
    const few = rows.filter(row => all.labels!.row(row).every(label => label < 100))
    const part = (held: boolean) => selectRows(all, few.filter((_, i) => (i % 5 === 4) === held)) // biome-ignore format: one rule
    return { training: part(false), held: part(true) }
  })
  return titles
}
