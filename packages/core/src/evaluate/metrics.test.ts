import { describe, expect, it } from 'vitest'
import { checkMetricName, isBetter, metricNames } from './metrics.ts'

describe('the names of the measures', () => {
  it('are these', () => {
    expect(metricNames).toEqual([
      ...['p@1', 'p@3', 'p@5', 'ndcg@1', 'ndcg@3', 'ndcg@5', 'psp@1', 'psp@3', 'psp@5'],
      ...['accuracy', 'hammingLoss', 'microF1', 'macroF1', 'instanceF1', 'macroF1Mulan'],
      ...['microPrecision', 'microRecall', 'macroPrecision', 'macroRecall', 'instancePrecision', 'instanceRecall'],
    ])
  })

  it('are the only ones accepted, and the error lists them', () => {
    expect(checkMetricName('microF1')).toBe('microF1')
    expect(() => checkMetricName('f1')).toThrow('unknown measure "f1"')
    expect(() => checkMetricName('toString')).toThrow(expect.objectContaining({ hint: expect.stringContaining('p@1') }))
  })

  it('say which of two values is better', () => {
    expect(isBetter('p@1', 0.6, 0.5)).toBe(true)
    expect(isBetter('p@1', 0.5, 0.5)).toBe(false)
    expect(isBetter('hammingLoss', 0.1, 0.2)).toBe(true)
    expect(metricNames.filter(name => isBetter(name, 0, 1))).toEqual(['hammingLoss'])
  })
})
