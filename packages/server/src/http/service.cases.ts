// A small service of every kind, on real files, for tests.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExactIndex, LcifClassifier, Vocabulary } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'
import type { Hono } from 'hono'
import { afterAll, beforeAll } from 'vitest'
import { Service } from '../service/service.ts'
import { MemoryStore } from '../store/memory-store.ts'
import { createApp } from './app.ts'

export const books = [
  { text: 'Sailing ships of the Baltic', labels: ['ships', 'history'] },
  { text: 'The birds of the coast', labels: ['birds'] },
  { text: 'Steam ships and their engines', labels: ['ships', 'technology'] },
  { text: 'Birds of the inland lakes', labels: ['birds', 'lakes'] },
]

/** The folder of the files, and the paths to serve. */
export interface Files {
  readonly folder: string
  readonly paths: readonly string[]
  remove(): Promise<void>
}

export async function makeFiles(): Promise<Files> {
  const folder = await mkdtemp(join(tmpdir(), 'vicinal-service-'))
  const [tagger, shapes, notes, store] = ['tagger.model', 'shapes.index', 'notes.collection', 'diary.store'].map(name =>
    join(folder, name),
  ) as [string, string, string, string]
  const model = await LcifClassifier.fit(books, { weighting: 'none' })
  model.nameLabels(Vocabulary.create([{ id: 'ships', names: { en: 'Ships', fi: 'laivat' } }]))
  await model.save(tagger)
  model.free()
  const index = await ExactIndex.fit([
    { id: 'apple', vector: [1, 0.2] },
    { id: 'truck', vector: [0, 1] },
  ])
  await index.save(shapes)
  index.free()
  const collection = Collection.create()
  await collection.upsertMany([
    { id: 'n1', text: 'The ferry to Tallinn leaves at noon', metadata: { year: 2026 } },
    { id: 2, text: 'The night train to Tallinn', metadata: { year: 2019 } },
  ])
  await collection.save(notes)
  collection.free()
  const memory = await MemoryStore.create(store)
  await memory.insert('the deploy failed because the disk was full', { fix: 'clear the cache' }, { id: 'disk' })
  await memory.close()
  return { folder, paths: [tagger, shapes, notes, store], remove: () => rm(folder, { recursive: true, force: true }) }
}

/** A service of the files, for the tests of one file: opened before the first of them, closed after the last. */
export class TestService {
  files!: Files
  service!: Service
  app!: Hono

  constructor() {
    beforeAll(async () => {
      this.files = await makeFiles()
      await this.#open()
    })
    afterAll(async () => {
      await this.service.close()
      await this.files.remove()
    })
  }

  /** As if it was stopped and started again. */
  async reopen(): Promise<void> {
    await this.service.close()
    await this.#open()
  }

  async #open(): Promise<void> {
    this.service = await Service.open(this.files.paths)
    this.app = createApp(this.service)
  }
}
