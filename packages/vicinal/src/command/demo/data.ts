// The titles that come with Vicinal: data/ at the top of a checkout, copied beside the built command.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Dataset, EngineError, type LongWork } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'

const places = ['./data/', '../../../../../data/'] // beside the built command; from this source file in a checkout

export interface Titles {
  /** 53,928 titles with their subjects. */
  readonly train: Dataset
  /** 6,020 others. */
  readonly test: Dataset
}

/** The file with the other titles. */
export function testTitles(): string {
  return `${findFolder()}titles-test.tsv.gz`
}

export async function readTitles(work: LongWork): Promise<Titles> {
  const folder = findFolder()
  const read = (name: string) => readDataset(`${folder}${name}`, { vocabulary: `${folder}subjects.tsv`, ...work })
  return { train: await read('titles-train.tsv.gz'), test: await read('titles-test.tsv.gz') }
}

function findFolder(): string {
  const folders = places.map(place => fileURLToPath(new URL(place, import.meta.url)))
  const found = folders.find(folder => existsSync(`${folder}titles-train.tsv.gz`))
  if (found) return found
  throw new EngineError('FILE_NOT_FOUND', `the demo's titles are not in ${folders[0]}`, {
    hint: 'Reinstall vicinal. In a checkout, run `npm run build`.',
  })
}
