// Small labeled data for the tests of classifiers, as texts and as vectors.

import type { Dataset } from '../data/dataset.ts'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { SparseMatrix } from '../matrix/sparse-matrix.ts'

/** Twelve titles on four shelves: few enough to check by hand. */
export const shelf: Dataset = {
  name: 'shelf',
  rows: 12,
  ids: ['s1', 's2', 's3', 's4', 'c1', 'c2', 'c3', 'c4', 'h1', 'h2', 'g1', 'g2'],
  texts: [
    'sailing ships of the baltic sea',
    'ships and harbors',
    'history of sailing ships',
    'harbors of the baltic sea',
    'baking bread and cakes',
    'bread recipes',
    'cakes and cookies recipes',
    'history of baking bread',
    'history of the baltic countries',
    'history of rome',
    'growing roses',
    'roses and herbs for the garden',
  ],
  labels: LabelMatrix.from(
    [[0], [0], [0, 2], [0], [1], [1], [1], [1, 2], [2], [2], [3], [3]], // biome-ignore format: one list a title
    4,
  ),
  labelNames: ['shipping', 'baking', 'history', 'gardens'],
}

/** The same shelves as vectors: feature 0 goes with ships, 1 with bread, 2 with history, 3 with gardens, 4 with all. */
export const vectors: Dataset = {
  name: 'vectors',
  rows: 8,
  features: SparseMatrix.from(
    [
      [[0, 2], [4, 1]],
      [[0, 1]],
      [[1, 2], [4, 1]],
      [[1, 1]],
      [[0, 1], [2, 2]],
      [[2, 1], [4, 1]],
      [[3, 2]],
      [[3, 1], [4, 1]],
    ], // biome-ignore format: rows as rows
    5,
  ),
  labels: LabelMatrix.from([[0], [0], [1], [1], [0, 2], [2], [3], [3]], 4), // biome-ignore format: rows as rows
}
