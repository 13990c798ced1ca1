// The published sets of labeled rows, in a folder of their own each.

import { join } from 'node:path'
import { type Dataset, Random, selectRows } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'

export interface LabelSet {
  readonly name: string
  /** Test rows measured: all, or this many at random. */
  readonly testRows?: number
}

/** IMDB comes in one file; paper 003 trains on its first rows. */
const imdbTrainRows = 72_551

export async function loadSet(
  folder: string,
  { name, testRows }: LabelSet,
): Promise<{ readonly train: Dataset; readonly test: Dataset }> {
  if (name === 'imdb') {
    const all = await readDataset(join(folder, name, 'all.txt.gz'))
    const rows = Uint32Array.from({ length: all.rows }, (_, row) => row)
    return {
      train: selectRows(all, rows.subarray(0, imdbTrainRows)),
      test: selectRows(all, rows.subarray(imdbTrainRows)),
    }
  }
  const [train, test] = await Promise.all(
    ['train', 'test'].map(part => readDataset(join(folder, name, `${part}.txt.gz`))),
  )
  if (!train || !test) throw new Error(`${name} has no two parts`)
  const picked = testRows && testRows < test.rows ? new Random(1).sample(test.rows, testRows) : undefined
  return { train, test: picked ? selectRows(test, picked) : test }
}
