// hnswlib-node: takes plain arrays only, builds on one thread.

import { loadPeer, peerVersion } from '../peers.ts'
import { type Contestant, makeDesk } from './contestant.ts'

interface Hnsw {
  initIndex(options: { maxElements: number; m?: number; efConstruction?: number; randomSeed?: number }): void
  addPoint(point: number[], label: number): void
  setEf(ef: number): void
  searchKnn(query: number[], k: number): { neighbors: number[] }
  writeIndexSync(file: string): void
  readIndexSync(file: string): void
}
type HnswModule = { HierarchicalNSW: new (space: 'l2', dims: number) => Hnsw }

const create = (dims: number) => new (loadPeer<HnswModule>('hnswlib-node').HierarchicalNSW)('l2', dims)

export const hnswlib: Contestant = {
  name: 'hnswlib-node',
  keepsBuilds: true,
  version: () => peerVersion('hnswlib-node'),
  async build(rows, knobs) {
    const index = create(rows.columns)
    index.initIndex({ maxElements: rows.rows, randomSeed: 1, ...knobs })
    for (let row = 0; row < rows.rows; row++) index.addPoint(Array.from(rows.row(row)), row)
    return { save: file => index.writeIndexSync(file) }
  },
  async open(file, queries, k) {
    const index = create(queries[0]!.length)
    index.readIndexSync(file)
    const arrays = queries.map(query => Array.from(query))
    const search = (query: number[]) => index.searchKnn(query, k)
    return ({ ef }) => {
      index.setEf(Number(ef))
      return makeDesk(arrays, search, ({ neighbors }) => neighbors)
    }
  },
}
