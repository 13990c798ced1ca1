// Our own dense indexes, through the contract they share; the knobs are their options as they are.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as core from '@vicinal/core'
import { type Contestant, type Knobs, makeDesk } from './contestant.ts'

interface Index {
  search(query: Float32Array, options: { k: number }): readonly { readonly id: string | number }[]
  save(file: string, options: { overwrite: boolean }): Promise<void>
}
interface IndexClass {
  fit(rows: core.DenseMatrix, options: Knobs): Promise<Index>
  load(file: string): Promise<Index>
}

const manifest = join(import.meta.dirname, '..', 'packages', 'core', 'package.json')

function vicinal(name: string, className: string): Contestant {
  // By name, so that a build of core without the index leaves only it out; `version` is asked before anything else.
  const found = (core as Record<string, unknown>)[className] as IndexClass
  return {
    name,
    keepsBuilds: false,
    version: () => found && JSON.parse(readFileSync(manifest, 'utf8')).version,
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

export const forest = vicinal('vicinal forest', 'ForestIndex')
export const exact = vicinal('vicinal exact', 'ExactIndex')
