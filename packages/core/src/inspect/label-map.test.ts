import { describe, expect, it } from 'vitest'
import type { Classifier } from '../label/classifier.ts'
import { ForestClassifier } from '../label/forest/forest-classifier.ts'
import { LcifClassifier } from '../label/lcif/lcif-classifier.ts'
import { MarginClassifier } from '../label/margin/margin-classifier.ts'
import { MemoryClassifier } from '../label/memory/memory-classifier.ts'
import { Random } from '../random.ts'
import { type LabelPoint, mapLabels } from './label-map.ts'

const themes = {
  sea: ['ship', 'harbor', 'sail', 'anchor', 'wave'],
  wood: ['tree', 'forest', 'timber', 'bark', 'leaf'],
  town: ['street', 'house', 'tram', 'market', 'bridge'],
}

/** Eight labels per theme; an item of a label has words of its theme, and one of its own. */
function themedItems(): { text: string; labels: string[] }[] {
  const random = new Random(7)
  return Object.entries(themes).flatMap(([theme, words]) =>
    Array.from({ length: 80 }, (_, i) => {
      const some = Array.from({ length: 3 }, () => words[random.below(words.length)])
      return { text: `${some.join(' ')} word${theme}${i % 8}`, labels: [`${theme} ${i % 8}`] }
    }),
  )
}

const themeOf = (label: string) => label.split(' ')[0]
const apart = (a: LabelPoint, b: LabelPoint) => Math.hypot(a.x - b.x, a.y - b.y)

/** The share of labels whose nearest label on the map is of their own theme. */
function neighborhood(points: readonly LabelPoint[]): number {
  const right = points.filter(point => {
    const others = points.filter(other => other !== point)
    const nearest = others.reduce((a, b) => (apart(point, b) < apart(point, a) ? b : a))
    return themeOf(nearest.label) === themeOf(point.label)
  })
  return right.length / points.length
}

describe('mapLabels', () => {
  it.each([
    ['LcifClassifier', LcifClassifier],
    ['ForestClassifier', ForestClassifier],
    ['MemoryClassifier', MemoryClassifier],
    ['MarginClassifier', MarginClassifier],
  ])('places labels of %s whose rows are alike near each other', async (_, { fit }) => {
    using model = await fit(themedItems())
    const points = await mapLabels(model)
    expect(points).toHaveLength(24)
    expect(neighborhood(points)).toBe(1)
    for (const { x, y, rows } of points) {
      expect(Math.abs(x)).toBeLessThanOrEqual(1)
      expect(Math.abs(y)).toBeLessThanOrEqual(1)
      expect(rows).toBe(10)
    }
    expect(Math.max(...points.flatMap(({ x, y }) => [x, y].map(Math.abs)))).toBeCloseTo(1)
  })

  it('takes dense vectors', async () => {
    const random = new Random(3)
    const items = themedItems().map(({ labels }, i) => {
      const center = Math.floor(i / 80)
      const own = (i % 8) / 8
      return { vector: Array.from({ length: 6 }, (_, j) => (j === center ? 3 : 0) + own + random.float() / 4), labels }
    })
    using model = await LcifClassifier.fit(items)
    expect(neighborhood(await mapLabels(model))).toBe(1)
  })

  it('gives the same places every time, and the most frequent labels first', async () => {
    const items = [...themedItems(), { text: 'ship wave', labels: ['sea 3'] }]
    using model = await LcifClassifier.fit(items)
    const points = await mapLabels(model, { limit: 5 })
    expect(points).toHaveLength(5)
    expect(points[0]).toMatchObject({ label: 'sea 3', rows: 11 })
    expect(await mapLabels(model, { limit: 5 })).toEqual(points)
  })

  it('places one label in the middle, and two apart', async () => {
    const item = { text: 'a red door', labels: ['door'] }
    using one = await LcifClassifier.fit([item, { text: 'a blue door', labels: ['door'] }])
    expect(await mapLabels(one)).toEqual([{ label: 'door', rows: 2, x: 0, y: 0 }])
    using two = await LcifClassifier.fit([item, { text: 'green windows', labels: ['window'] }])
    const [a, b] = await mapLabels(two)
    expect(apart(a, b)).toBeGreaterThan(1)
  })

  it('gives labels with the same rows places of their own', async () => {
    const items = themedItems().map(item => ({ ...item, labels: ['one', 'two', 'three', 'four'] }))
    using model = await LcifClassifier.fit(items)
    const points = await mapLabels(model)
    for (const [i, a] of points.entries())
      for (const b of points.slice(i + 1)) expect(apart(a, b)).toBeGreaterThan(0.01)
  })

  it('leaves out labels whose rows were removed', async () => {
    using model = await LcifClassifier.fit([
      { id: 'x', text: 'a lone word', labels: ['gone'] },
      ...themedItems().map((item, id) => ({ id, ...item })),
    ])
    model.remove(['x'])
    expect((await mapLabels(model)).map(({ label }) => label)).not.toContain('gone')
  })

  it('places labels by a distance of texts, which has no features', async () => {
    const names = ['aaaa', 'aaab', 'aabb', 'xxxx', 'xxxy', 'xxyy']
    const items = names.flatMap(name =>
      ['', 'c', 'd'].map(end => ({ text: name + end, labels: [`${name[0]} ${name}`] })),
    )
    using model = await MarginClassifier.fit(items, { distance: 'levenshtein', gap: 0 })
    expect(neighborhood(await mapLabels(model))).toBe(1)
  })

  it('leaves out labels of which a margin classifier has kept nothing', async () => {
    const items = themedItems()
    const twin = { text: items[0].text, labels: ['twin'] } // in conflict with two rows: it is dropped
    using model = await MarginClassifier.fit([...items, items[0], twin])
    expect(model.labelCounts()[model.labelNames.indexOf('twin')]).toBe(1)
    expect((await mapLabels(model)).map(({ label }) => label)).not.toContain('twin')
  })

  it('refuses classifiers of others that can say nothing about their labels', async () => {
    using model = await LcifClassifier.fit(themedItems())
    const other = { labelCounts: () => model.labelCounts(), method: 'mine' } as unknown as Classifier
    await expect(mapLabels(other)).rejects.toMatchObject({ code: 'UNSUPPORTED' })
  })

  it('stops at a signal', async () => {
    using model = await LcifClassifier.fit(themedItems())
    await expect(mapLabels(model, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' })
  })
})
