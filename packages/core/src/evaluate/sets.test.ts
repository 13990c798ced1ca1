import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { labelReport } from './label-report.ts'
import { type SetMeasures, setMeasures } from './sets.ts'
import { setCase } from './test-cases.ts'

// Over 4 labels. Row 0: one of two found, one wrong. Row 1: right. Row 2: both empty. Row 3: nothing predicted.
const truth = LabelMatrix.from([[0, 1], [0], [], [1]], 4)
const predicted = LabelMatrix.from([[0, 2], [0], [], []], 4)

describe('setMeasures', () => {
  const found = setMeasures(truth, predicted)

  it('accuracy is the mean overlap, 1 where both sets are empty', () => {
    expect(found.accuracy).toBeCloseTo((1 / 3 + 1 + 1 + 0) / 4, 12)
  })

  it('Hamming loss is the share of wrong pairs', () => {
    expect(found.hammingLoss).toBe(3 / 16)
  })

  it('micro measures count all pairs at once', () => {
    expect(found.microPrecision).toBe(2 / 3)
    expect(found.microRecall).toBe(2 / 4)
    expect(found.microF1).toBeCloseTo(4 / 7, 12)
  })

  it('macro measures are means over the labels that occur: 0 always right, 1 never predicted', () => {
    expect(found.macroPrecision).toBe(1 / 2)
    expect(found.macroRecall).toBe(1 / 2)
    expect(found.macroF1).toBe(1 / 2)
  })

  it('macro F1 as in Mulan averages all labels, and counts 1 for a label that never occurs', () => {
    expect(found.macroF1Mulan).toBe((1 + 0 + 0 + 1) / 4)
  })

  it('instance measures are means over the rows', () => {
    expect(found.instancePrecision).toBe((1 / 2 + 1 + 1 + 0) / 4)
    expect(found.instanceRecall).toBe((1 / 2 + 1 + 1 + 0) / 4)
    expect(found.instanceF1).toBe((1 / 2 + 1 + 1 + 0) / 4)
  })

  it('agrees with counting over sets', () => {
    fc.assert(
      fc.property(setCase, ({ truth, predicted, trueSets, predictedSets }) => {
        const found = setMeasures(truth, predicted)
        const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
        const f1 = (tp: number, fp: number, fn: number) => (tp + fp + fn === 0 ? 1 : (2 * tp) / (2 * tp + fp + fn))
        const count = (holds: (row: number, label: number) => boolean, rows: number[], labels: number[]) =>
          rows.flatMap(row => labels.filter(label => holds(row, label))).length
        const score = (rows: number[], labels: number[]) =>
          f1(
            count((row, label) => trueSets[row].has(label) && predictedSets[row].has(label), rows, labels),
            count((row, label) => !trueSets[row].has(label) && predictedSets[row].has(label), rows, labels),
            count((row, label) => trueSets[row].has(label) && !predictedSets[row].has(label), rows, labels),
          )
        const rows = trueSets.map((_, row) => row)
        const labels = [0, 1, 2, 3, 4, 5]
        const occurring = labels.filter(label => trueSets.some(set => set.has(label)))
        expect(found.microF1).toBeCloseTo(score(rows, labels), 10)
        expect(found.instanceF1).toBeCloseTo(mean(rows.map(row => score([row], labels))), 10)
        expect(found.macroF1Mulan).toBeCloseTo(mean(labels.map(label => score(rows, [label]))), 10)
        const macro = occurring.length > 0 ? mean(occurring.map(label => score(rows, [label]))) : score(rows, labels)
        expect(found.macroF1).toBeCloseTo(macro, 10)
        const wrong = count((row, label) => trueSets[row].has(label) !== predictedSets[row].has(label), rows, labels)
        expect(found.hammingLoss).toBeCloseTo(wrong / (rows.length * 6), 10)
        const overlaps = rows.map(row => {
          const union = new Set([...trueSets[row], ...predictedSets[row]])
          return union.size === 0
            ? 1
            : [...trueSets[row]].filter(label => predictedSets[row].has(label)).length / union.size
        })
        expect(found.accuracy).toBeCloseTo(mean(overlaps), 10)
      }),
    )
  })

  it('is perfect for the truth itself, and F1 lies between precision and recall', () => {
    fc.assert(
      fc.property(setCase, ({ truth, predicted }) => {
        const { hammingLoss, ...others } = setMeasures(truth, truth)
        expect(hammingLoss).toBe(0)
        for (const value of Object.values(others)) expect(value).toBeCloseTo(1, 10)
        const { microPrecision, microRecall, microF1 } = setMeasures(truth, predicted)
        expect(microF1).toBeGreaterThanOrEqual(Math.min(microPrecision, microRecall) - 1e-12)
        expect(microF1).toBeLessThanOrEqual(Math.max(microPrecision, microRecall) + 1e-12)
      }),
    )
  })

  it('does not change when rows are permuted, and swaps precision and recall with the sides', () => {
    fc.assert(
      fc.property(setCase, ({ truth, predicted }) => {
        const found = setMeasures(truth, predicted)
        const reversed = Array.from({ length: truth.rows }, (_, i) => truth.rows - 1 - i)
        const turned = setMeasures(truth.select(reversed), predicted.select(reversed))
        for (const name of Object.keys(found) as (keyof SetMeasures)[])
          expect(turned[name]).toBeCloseTo(found[name], 10) // its own keys
        const swapped = setMeasures(predicted, truth)
        expect(swapped.microPrecision).toBeCloseTo(found.microRecall, 10)
        expect(swapped.instanceRecall).toBeCloseTo(found.instancePrecision, 10)
      }),
    )
  })

  it('falls back to the micro values where no label occurs', () => {
    const nothing = LabelMatrix.from([[], []], 2)
    expect(setMeasures(nothing, nothing)).toMatchObject({ macroF1: 1, microF1: 1, accuracy: 1, hammingLoss: 0 })
    expect(setMeasures(nothing, LabelMatrix.from([[0], []], 2))).toMatchObject({
      macroF1: 0,
      microF1: 0,
      macroF1Mulan: 0.5,
    })
    expect(setMeasures(LabelMatrix.from([[]], 0), LabelMatrix.from([[]], 0))).toMatchObject({
      hammingLoss: 0,
      macroF1Mulan: 1,
    })
  })

  it('refuses sets of other rows or other labels', () => {
    const mismatch = expect.objectContaining({ code: 'DIMENSION_MISMATCH' })
    expect(() => setMeasures(truth, predicted.slice(0, 3))).toThrow(mismatch)
    expect(() => setMeasures(truth, LabelMatrix.from([[], [], [], []], 5))).toThrow('the truth has 4 labels')
    expect(() => labelReport(truth, predicted.slice(0, 3))).toThrow(mismatch)
  })
})

describe('labelReport', () => {
  it('counts each label', () => {
    expect(labelReport(truth, predicted)).toEqual([
      { label: 0, support: 2, predicted: 2, correct: 2, precision: 1, recall: 1, f1: 1 },
      { label: 1, support: 2, predicted: 0, correct: 0, precision: 0, recall: 0, f1: 0 },
      { label: 2, support: 0, predicted: 1, correct: 0, precision: 0, recall: 0, f1: 0 },
      { label: 3, support: 0, predicted: 0, correct: 0, precision: 1, recall: 1, f1: 1 },
    ])
  })

  it('adds up to the micro measures', () => {
    fc.assert(
      fc.property(setCase, ({ truth, predicted }) => {
        const report = labelReport(truth, predicted)
        const total = (field: 'support' | 'predicted' | 'correct') => report.reduce((sum, row) => sum + row[field], 0)
        const { microPrecision, microRecall } = setMeasures(truth, predicted)
        expect([total('support'), total('predicted')]).toEqual([truth.entries, predicted.entries])
        if (truth.entries > 0) expect(microRecall).toBeCloseTo(total('correct') / total('support'), 10)
        if (predicted.entries > 0) expect(microPrecision).toBeCloseTo(total('correct') / total('predicted'), 10)
      }),
    )
  })
})
