// Async functions where an answer is needed at once: of a stemmer, a metric, a judge. Filters and rewards are tested where they are used.

import { expect, it } from 'vitest'
import { isYes } from './callback-answers.ts'
import { registerStemmer } from './data/text/stemmer.ts'
import { riskCoverage } from './evaluate/risk-coverage.ts'
import { LcifClassifier } from './label/lcif/lcif-classifier.ts'
import { NetIndex } from './search/net/net-index.ts'

/** As callers without types may write it. */
const later = <T>(answer: T) => (async () => answer) as unknown as () => T
const refused = (name: string) =>
  expect.objectContaining({
    code: 'INVALID_OPTION',
    message: `${name} returned a promise, expected a plain value`,
    hint: expect.any(String),
  })

it('takes what is truthy as a yes, as JavaScript does', () => {
  expect([true, 1, 'a', {}].map(answer => isYes(answer, 'filter'))).toEqual([true, true, true, true])
  expect([false, 0, '', null, undefined].map(answer => isYes(answer, 'filter'))).toEqual(Array(5).fill(false))
})

it('an async judge does not make every answer wrong: it is refused', () => {
  expect(() => riskCoverage([0.9, 0.5], later(false))).toThrow(refused('isWrong'))
})

it.each([300, 0])('an async metric is refused as such, with %i triples', async triples => {
  const metric = { name: 'slow', distance: later(1) }
  await expect(NetIndex.fit(['a', 'b', 'c', 'd'], { metric, triples })).rejects.toEqual(refused("the metric 'slow'"))
})

it('an async stemmer does not make all words one: it is refused', async () => {
  registerStemmer({ name: 'slow', stem: later('stem') })
  const items = [
    { text: 'old ships', labels: ['sea'] },
    { text: 'new trees', labels: ['land'] },
  ]
  await expect(LcifClassifier.fit(items, { text: { stemmer: 'slow' } })).rejects.toEqual(refused("the stemmer 'slow'"))
})
