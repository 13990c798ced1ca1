import { expect, it } from 'vitest'
import { linearAxis, logAxis } from '../parts/axis.ts'
import { placeNames } from './place-names.ts'
import { sortLabels } from './sort-labels.ts'

const dot = (text: string, x: number, y: number, r = 3, isWanted = false) => ({ text, x, y, r, isWanted })

it('names do not cover each other: the wanted ones and the large ones come first', () => {
  const place = { width: 400, height: 400, most: 10 }
  const names = (dots: ReturnType<typeof dot>[]) => placeNames(dots, place).map(({ text }) => text)
  expect(names([dot('small', 50, 50, 3), dot('large', 52, 52, 9), dot('far', 50, 300)])).toEqual(['large', 'far'])
  expect(names([dot('small', 50, 50, 3, true), dot('large', 52, 52, 9)])).toEqual(['small'])
  expect(placeNames([dot('at the edge', 395, 50)], place)[0]?.x).toBeLessThan(395)
  expect(placeNames([dot('a', 1, 50), dot('b', 1, 100)], { ...place, most: 1 })).toHaveLength(1)
})

it('URIs on the map do not all read the same', () => {
  const base = 'https://vocabulary.example.org/concepts/library'
  const names = placeNames([dot(`${base}/p101`, 1, 50), dot(`${base}/p102`, 1, 100)], {
    width: 400,
    height: 400,
    most: 9,
  })
  expect(names.map(({ text }) => text)).toEqual(['…e.org/concepts/library/p101', '…e.org/concepts/library/p102'])
})

it('labels with more items come first among equals', () => {
  const row = (label: string, f1: number, support: number) => ({
    ...{ label, f1, support, predicted: 0, correct: 0, precision: 0, recall: 0 },
  })
  const rows = [row('a', 0, 1), row('b', 1, 5), row('c', 0, 9)]
  expect(sortLabels(rows, 'f1', false).map(({ label }) => label)).toEqual(['c', 'a', 'b'])
  expect(sortLabels(rows, 'f1', true).map(({ label }) => label)).toEqual(['b', 'c', 'a'])
  expect(sortLabels(rows, 'label', false).map(({ label }) => label)).toEqual(['a', 'b', 'c'])
})

it('axes have round ticks inside their range', () => {
  const { place, ticks } = linearAxis(0, 1, 10, 110, 5)
  expect(ticks.map(tick => tick.toFixed(1))).toEqual(['0.0', '0.2', '0.4', '0.6', '0.8', '1.0'])
  expect(place(0.5)).toBe(60)
  expect(logAxis(8, 250, 0, 100).ticks).toEqual([10, 20, 50, 100, 200])
  expect(linearAxis(3, 3, 0, 1).place(3)).toBe(0)
})
