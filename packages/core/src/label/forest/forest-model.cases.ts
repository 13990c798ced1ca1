// What the tests of ForestClassifier share: small data, options for few rows, and an engine that must be empty after every test.

import fc from 'fast-check'
import { afterAll, afterEach, expect } from 'vitest'
import type { Dataset } from '../../data/dataset.ts'
import { Engine } from '../../kernels/engine.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix, type SparseRow } from '../../matrix/sparse-matrix.ts'
import { Random } from '../../random.ts'
import type { FitOptions } from '../options.ts'
import { fitForest } from './fit.ts'
import { ForestClassifier } from './forest-classifier.ts'
import { assembleForest, type ForestModel, freeForest } from './model.ts'
import type { ForestClassifierOptions } from './options.ts'

export const growers = ['graph', 'kd', 'pca', 'classification', 'random-projection'] as const

/** Few rows: with the default `l1` they would give no weights at all. */
export const tiny = { leafSize: 1, l1: 0.1, trees: 20 } as const

export const engine = new Engine()
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

/** Uses a classifier, and frees it. */
export async function withForest<T>(
  dataset: Dataset,
  options: ForestClassifierOptions,
  use: (model: ForestClassifier) => T | Promise<T>,
): Promise<T> {
  const model = await ForestClassifier.fit(dataset, { ...tiny, engine, ...options })
  try {
    return await use(model)
  } finally {
    model.free()
  }
}

/** Uses what a classifier is made of, and frees it. */
export async function withModel<T>(
  dataset: Dataset,
  options: ForestClassifierOptions & FitOptions,
  use: (model: ForestModel) => T | Promise<T>,
): Promise<T> {
  const model = assembleForest(await fitForest(dataset, { ...tiny, engine, threads: 1, ...options }))
  try {
    return await use(model)
  } finally {
    freeForest(model)
  }
}

export interface PlainRow {
  readonly features: readonly (readonly [number, number])[]
  readonly labels: readonly number[]
}

export function datasetOf(rows: readonly PlainRow[], columns: number, labels: number): Dataset {
  return {
    name: 'plain',
    rows: rows.length,
    features: SparseMatrix.from(
      rows.map(row => row.features),
      columns,
    ),
    labels: LabelMatrix.from(
      rows.map(row => row.labels.toSorted((a, b) => a - b)),
      labels,
    ),
  }
}

export const sparse = (dataset: Dataset): SparseMatrix => dataset.features as SparseMatrix // all data here is
export const item = (...pairs: [number, number][]): SparseRow => SparseMatrix.from([pairs]).row(0)

/** Some rows over six features and four labels; any may be empty but the first. */
export const anyRows = fc
  .array(
    fc.record({
      features: fc.uniqueArray(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 4 })), {
        selector: ([feature]) => feature,
        maxLength: 5,
      }),
      labels: fc.uniqueArray(fc.nat(3), { maxLength: 3 }),
    }),
    { minLength: 3, maxLength: 16 },
  )
  .map(rows => datasetOf(rows.with(0, { features: [[0, 1]], labels: [1] }), 6, 4))

export const anyOptions = fc.record({
  grower: fc.constantFrom(...growers),
  rule: fc.constantFrom('natural', 'voting'),
  leafSize: fc.integer({ min: 1, max: 3 }),
  blend: fc.constantFrom(0, 0.3, 1),
  blendPower: fc.constantFrom(1, 2.5),
  tailLift: fc.constantFrom(0, 0.5, 1),
  weighting: fc.constant('none'),
  trees: fc.constant(5),
} as const)

/** Rows with labels that the shelf has not. */
export const more: Dataset = {
  name: 'more',
  rows: 3,
  ids: ['the id of rome', 'the id of roses', 'the id of bread'],
  texts: ['rome and its harbors', 'roses of rome', 'secret bread of the baltic'],
  labels: LabelMatrix.from([[0, 1], [0], [2]], 3), // biome-ignore format: rows as rows
  labelNames: ['rome', 'shipping', 'hidden'],
}

/** Features of a row of length 1, by number. */
export function unitRow({ indices, values }: SparseRow): Map<number, number> {
  const length = Math.hypot(...values)
  return new Map(Array.from(indices, (feature, e) => [feature, values[e] / length]))
}

/** Rows of eight labels, each with four features of its own, among others. */
export function overlapping(seed: number, rows: number): Dataset {
  const random = new Random(seed)
  const plain = Array.from({ length: rows }, () => {
    const labels = [...random.sample(8, 1 + random.below(2))]
    const own = labels.flatMap(label => [...random.sample(4, 2)].map(feature => 4 * label + feature))
    const features = new Set([...own, random.below(32), random.below(32)])
    return { features: [...features].map(feature => [feature, 1] as const), labels }
  })
  return datasetOf(plain, 32, 8)
}
