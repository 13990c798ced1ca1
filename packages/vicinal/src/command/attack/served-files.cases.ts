// A model, an index, a collection and a memory with the names and contents that the examples of the API are about.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExactIndex, LcifClassifier } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'
import { MemoryStore } from '@vicinal/server'

export interface ServedFiles {
  readonly paths: readonly string[]
  remove(): Promise<void>
}

export async function makeServedFiles(): Promise<ServedFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'vicinal-attack-'))
  const at = (name: string) => join(folder, name)
  const books = [
    { text: 'Sailing ships of the Baltic', labels: ['ships', 'history'] },
    { text: 'The birds of the coast', labels: ['birds'] },
  ]
  const model = await LcifClassifier.fit(books, { weighting: 'none' })
  await model.save(at('tagger.model'))
  const vectors = [
    { id: 'apple', vector: [1, 0.2] },
    { id: 'truck', vector: [0, 1] },
  ]
  const index = await ExactIndex.fit(vectors)
  await index.save(at('shapes.index'))
  const collection = Collection.create()
  await collection.upsertMany([{ id: 'n1', text: 'The ferry to Tallinn leaves at noon', metadata: { year: 2026 } }])
  await collection.save(at('notes.collection'))
  const memory = await MemoryStore.create(at('diary'))
  await memory.insert('the deploy failed because the disk was full', { fix: 'clear the cache' }, { id: 'disk' })
  await memory.close()
  for (const one of [model, index, collection]) one.free()
  const paths = ['tagger.model', 'shapes.index', 'notes.collection', 'diary'].map(at)
  return { paths, remove: () => rm(folder, { recursive: true, force: true }) }
}
