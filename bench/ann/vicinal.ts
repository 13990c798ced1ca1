// Our own dense indexes, through the contract they share; the knobs are their options as they are.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DenseIndex, type DenseMatrix, ExactIndex, ForestIndex } from '@vicinal/core'
import { type Contestant, type Knobs, makeDesk } from './contestant.ts'

interface IndexClass {
  fit(rows: DenseMatrix, options: Knobs): Promise<DenseIndex>
  load(file: string): Promise<DenseIndex>
}

const manifest = join(import.meta.dirname, '..', 'packages', 'core', 'package.json')

function vicinal(name: string, found: IndexClass): Contestant {
  return {
    name,
    keepsBuilds: false,
    version: () => JSON.parse(readFileSync(manifest, 'utf8')).version,
    async build(rows, knobs) {
      const index = await found.fit(rows, { metric: 'euclidean', ...knobs })
      return { save: file => index.save(file, { overwrite: true }) }
    },
    async open(file, queries, k) {
      const index = await found.load(file)
      return knobs => {
        const options = { k, ...knobs }
        const search = (query: Float32Array) => index.search(query, options)
        return makeDesk(queries, search, neighbors => neighbors.map(({ id }) => Number(id)))
      }
    },
  }
}

export const forest = vicinal('vicinal forest', ForestIndex)
export const exact = vicinal('vicinal exact', ExactIndex)
