// One small real file of each format, read as a user would: nothing but the path.

import { join } from 'node:path'
import { type DenseMatrix, readDataset } from 'vicinal'
import { expect, it } from 'vitest'

const tiny = (name: string): string => join(import.meta.dirname, '..', 'data', 'tiny', name)

it.each([
  ['medical.txt', 20, 1449, 45, 'SparseMatrix'],
  ['medical.txt.gz', 20, 1449, 45, 'SparseMatrix'],
  ['medical.svm', 20, 1443, 12, 'SparseMatrix'], // svmlight knows only the features and labels that occur
  ['medical.arff', 20, 1449, 45, 'SparseMatrix'],
  ['emotions.arff', 10, 72, 6, 'DenseMatrix'],
  ['music-meka.arff', 9, 71, 6, 'DenseMatrix'],
  ['letter.csv', 20, 16, 15, 'DenseMatrix'],
  ['fashion-images-idx3-ubyte.gz', 8, 784, 9, 'DenseMatrix'],
  ['fashion.npy', 8, 784, undefined, 'DenseMatrix'],
  ['fashion.fvecs', 8, 784, undefined, 'DenseMatrix'],
  ['fashion.bvecs', 8, 784, undefined, 'DenseMatrix'],
  ['fashion.ivecs', 8, 3, undefined, 'DenseMatrix'],
  ['fashion.hdf5', 6, 784, undefined, 'DenseMatrix'],
])('%s has %i rows, %i features and %s labels', async (name, rows, features, labels, kind) => {
  const read = await readDataset(tiny(name))
  expect([read.rows, read.features?.columns, read.labels?.columns]).toEqual([rows, features, labels])
  expect(read.features?.constructor.name).toBe(kind)
})

it.each(['titles.tsv', 'titles.csv', 'titles.jsonl', 'titles.parquet'])(
  '%s has ten titles with subjects',
  async name => {
    const read = await readDataset(tiny(name))
    expect([read.rows, read.texts?.length, read.labels?.rows]).toEqual([10, 10, 10])
    expect(read.texts?.[0]).toBe((await readDataset(tiny('titles.tsv'))).texts?.[0])
    expect(read.labelNames?.[0]).toMatch(/p\d+$/)
  },
)

it('formats that hold the same rows give the same numbers', async () => {
  const [xmc, arff] = await Promise.all([readDataset(tiny('medical.txt')), readDataset(tiny('medical.arff'))])
  expect(arff.features?.values.length).toBe(xmc.features?.values.length)
  const images = await readDataset(tiny('fashion-images-idx3-ubyte.gz'))
  for (const name of ['fashion.npy', 'fashion.fvecs', 'fashion.bvecs']) {
    const { features } = await readDataset(tiny(name))
    expect(Array.from(features?.values ?? [])).toEqual(Array.from(images.features?.values ?? []))
  }
  expect((images.features as DenseMatrix).values).toBeInstanceOf(Uint8Array)
})
