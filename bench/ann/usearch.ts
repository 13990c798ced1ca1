// usearch: its width of search is fixed when an index is made, so every setting loads the file anew. Builds on all threads.

import { loadPeer, peerVersion } from '../peers.ts'
import { type Contestant, type Knobs, makeDesk } from './contestant.ts'

interface Usearch {
  add(keys: BigUint64Array, vectors: Float32Array, threads: number): void
  search(query: Float32Array, k: number, threads: number): { keys: BigUint64Array }
  save(file: string): void
  load(file: string): void
}
type UsearchModule = { Index: new (options: Record<string, number | string>) => Usearch }

const create = (dimensions: number, knobs: Knobs) =>
  new (loadPeer<UsearchModule>('usearch').Index)({ dimensions, metric: 'l2sq', ...knobs })

export const usearch: Contestant = {
  name: 'usearch',
  keepsBuilds: true,
  version: () => peerVersion('usearch'),
  async build({ rows, columns, values }, knobs) {
    const index = create(columns, knobs)
    const keys = BigUint64Array.from({ length: rows }, (_, row) => BigInt(row))
    index.add(keys, values as Float32Array, 0) // contestants are given f32 rows
    return { save: file => index.save(file) }
  },
  async open(file, queries, k) {
    return knobs => {
      const index = create(queries[0]!.length, knobs)
      index.load(file)
      const search = (query: Float32Array) => index.search(query, k, 1)
      return makeDesk(queries, search, ({ keys }) => Array.from(keys, Number))
    }
  },
}
