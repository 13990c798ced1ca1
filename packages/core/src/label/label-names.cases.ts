// What every classifier promises about the names of labels, as tests: an answer has the id of a label and, if a vocabulary has one, its name.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Vocabulary } from '../data/vocabulary/vocabulary.ts'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import type { ClassifierCase } from './classifier.cases.ts'
import { shelf } from './shelf.cases.ts'

const shelfNames = Vocabulary.create([
  { id: 'u:1', names: { en: 'shipping', fi: 'merenkulku' } },
  { id: 'u:2', names: { en: 'baking' } },
  { id: 'u:9', names: { en: 'not on these shelves' } },
])

export function describeLabelNames(name: string, { fit, load }: Pick<ClassifierCase, 'fit' | 'load'>): void {
  describe(`${name}, naming labels as every classifier`, () => {
    let folder: string

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vicinal-classifier-'))
    })

    afterAll(() => rm(folder, { recursive: true }))

    it('keeps the id and the name of a label together in every answer, also after loading', async () => {
      const model = await fit({ ...shelf, labelNames: ['u:1', 'u:2', 'u:3', 'u:4'], vocabulary: shelfNames })
      const path = join(folder, 'named.model')
      await model.save(path)
      for (const named of [model, await load(path)]) {
        const [best] = named.predict('ships', { top: 1, explain: true })
        expect(best).toMatchObject({ label: 'u:1', name: 'shipping', because: { label: 'u:1', name: 'shipping' } })
        expect((await named.predictBatch(['ships'], { top: 1 })).suggestions(0)).toEqual([
          { label: 'u:1', name: 'shipping', score: best!.score },
        ])
        expect(named.explain('ships', 'shipping')).toEqual(named.explain('ships', 'u:1'))
        expect([named.labelNames[0], named.vocabulary?.languages]).toEqual(['u:1', ['en', 'fi']])
        named.nameLabels(named.vocabulary!.in('fi'))
        expect(named.predict('ships', { top: 1 })[0]).toMatchObject({ label: 'u:1', name: 'merenkulku' })
        expect(named.explain('bread', 'u:2')).not.toHaveProperty('name') // no Finnish name
        expect(() => named.explain('ships', 'bakery')).toThrow('no label is called "bakery"')
        named.free()
      }
    })

    it('learns a label by its name, instead of as a second label', async () => {
      const model = await fit({ ...shelf, labelNames: ['u:1', 'u:2', 'u:3', 'u:4'], vocabulary: shelfNames })
      const before = model.labelCounts()
      model.partialFit([{ text: 'ships', labels: ['shipping', 'u:1', 'baking'] }])
      expect(model.labelNames).toEqual(['u:1', 'u:2', 'u:3', 'u:4'])
      expect(Array.from(model.labelCounts(), (count, i) => count - before[i])).toEqual([1, 1, 0, 0])
      model.nameLabels(
        Vocabulary.create([
          { id: 'u:1', names: 'Mercury' },
          { id: 'u:2', names: 'Mercury' },
        ]),
      )
      expect(() => model.partialFit([{ text: 'ships', labels: ['new', 'Mercury'] }])).toThrow(
        '2 labels are called "Mercury"',
      )
      expect(model.labelNames).toEqual(['u:1', 'u:2', 'u:3', 'u:4'])
      model.free()
    })

    it('names labels that come later, and refuses a name that two labels have', async () => {
      const model = await fit(shelf)
      const vocabulary = Vocabulary.create([
        { id: 'rome', names: 'Rome' },
        { id: 'gardens', names: 'Rome' },
      ])
      const labels = LabelMatrix.from([[0]], 1)
      model.partialFit({ name: 'added', rows: 1, texts: ['garden of rome'], labels, labelNames: ['rome'], vocabulary })
      expect(model.explain('rome', 'rome')).toMatchObject({ label: 'rome', name: 'Rome' })
      expect(() => model.explain('rome', 'Rome')).toThrow('2 labels are called "Rome"')
      expect(() => model.nameLabels({} as Vocabulary)).toThrow('vocabulary is')
      model.free()
    })
  })
}
