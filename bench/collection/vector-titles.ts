// Titles with their sentence vectors and subjects (titles-use512).

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DenseMatrix } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'

export interface VectorTitle {
  readonly text: string
  readonly subjects: ReadonlySet<string>
  readonly vector: Float32Array
}

/** `name` is 'train' or 'test'. */
export async function readVectorTitles(data: string, name: string): Promise<VectorTitle[]> {
  const folder = join(data, 'titles-use512')
  const { features } = await readDataset(join(folder, `${name}.npy`))
  if (!(features instanceof DenseMatrix)) throw new Error(`${name}.npy has no vectors`)
  const lines = gunzipSync(readFileSync(join(folder, `${name}.tsv.gz`)))
    .toString('utf8')
    .split('\n')
    .filter(line => line !== '')
  return lines.map((line, i) => {
    const [text = '', subjects = ''] = line.split('\t')
    return { text, subjects: new Set(subjects.split(/\s+/)), vector: Float32Array.from(features.row(i)) }
  })
}
