import { expect, it } from 'vitest'
import { riskCoverage } from './risk-coverage.ts'

it('tells the risk of answering only what is sure, equal confidences together', () => {
  const wrong = new Set([1, 3])
  expect(riskCoverage([0.9, 0.5, 0.5, 0.1], item => wrong.has(item))).toEqual([
    { least: 0.9, coverage: 0.25, risk: 0 },
    { least: 0.5, coverage: 0.75, risk: 1 / 3 },
    { least: 0.1, coverage: 1, risk: 0.5 },
  ])
})

it('refuses to judge nothing', () => {
  expect(() => riskCoverage([], () => false)).toThrow('no answers')
})
