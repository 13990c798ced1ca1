// The data of page tests: a model of bundled titles, a forest model, a collection, two indexes and a memory.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DenseMatrix, ExactIndex, ForestClassifier, ForestIndex, LcifClassifier, Random } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'
import { MemoryStore } from '@vicinal/server'
import { readDataset } from 'vicinal'

const data = join(import.meta.dirname, '..', 'data')

export interface PageData {
  readonly paths: readonly string[]
  /** Titles with their right labels, which the model has not learned from. */
  readonly test: string
}

/** Makes everything in `folder`. `rows` is how many titles the model learns. */
export async function makePageData(folder: string, rows = 3000): Promise<PageData> {
  await mkdir(folder, { recursive: true })
  const place = (name: string) => join(folder, name)
  const titles = await readDataset(join(data, 'titles-train.tsv.gz'))
  const lines = (from: number, to: number) => titlesOf(titles, from, to)
  await writeFile(place('learned.jsonl'), jsonl(lines(0, rows)))
  await writeFile(place('test.jsonl'), jsonl(lines(rows, rows + 300)))
  const known = await readDataset(place('learned.jsonl'), { vocabulary: join(data, 'subjects.tsv') })
  const model = await LcifClassifier.fit(known, { weighting: 'none' })
  await model.save(place('titles.model'))
  const medical = await readDataset(join(data, 'xmc/medical-train.txt.gz'))
  await (await ForestClassifier.fit(medical, { trees: 4 })).save(place('medical.model'))
  const nameOf = (label: string) => known.vocabulary?.nameOf(label) ?? label
  await collectionOf(lines(rows, rows + 400), nameOf).save(place('books.collection'))
  const pictures = await readDataset(join(data, 'tiny/fashion.fvecs'))
  await (await ExactIndex.fit(pictures.features as DenseMatrix)).save(place('clothes.index'))
  await (await ForestIndex.fit(points(), { targetRecall: 0.9 })).save(place('points.index'))
  await remember(place('notes'))
  const names = ['titles.model', 'medical.model', 'books.collection', 'clothes.index', 'points.index', 'notes']
  return { paths: names.map(place), test: place('test.jsonl') }
}

interface Title {
  readonly text: string
  readonly labels: readonly string[]
}

type Titles = Awaited<ReturnType<typeof readDataset>>

function titlesOf({ texts = [], labels, labelNames = [] }: Titles, from: number, to: number): Title[] {
  return texts.slice(from, to).map((text, i) => ({
    text,
    labels: [...(labels?.row(from + i) ?? [])].map(label => labelNames[label] ?? ''),
  }))
}

function jsonl(rows: readonly object[]): string {
  return rows.map(row => `${JSON.stringify(row)}\n`).join('')
}

function collectionOf(titles: readonly Title[], nameOf: (label: string) => string): Collection {
  const collection = Collection.create()
  titles.forEach(({ text, labels }, i) => {
    const metadata = { subject: labels.map(nameOf), words: text.split(/\s+/).length }
    collection.upsert({ id: `book-${i}`, text, metadata })
  })
  return collection
}

/** Enough, and in groups, so that a search need not compare all. */
function points(): DenseMatrix {
  const random = new Random(1)
  const drawn = (center: readonly number[]) => center.map(value => 4 * value + random.normal())
  const centers = Array.from({ length: 50 }, () => drawn(new Array(24).fill(0)))
  return DenseMatrix.from(Array.from({ length: 3000 }, (_, i) => drawn(centers[i % 50] ?? [])))
}

async function remember(path: string): Promise<void> {
  const memory = await MemoryStore.create(path)
  const ops = { namespace: 'ops' }
  await memory.insert('the deploy failed because the disk was full', 'clear the cache', ops)
  await memory.insert('the deploy failed because a test was red', 'run the tests first', ops)
  await memory.insert('login fails after the certificate changed', 'restart the proxy', ops)
  await memory.insert('Anna asked for shorter answers', 'answer in two sentences', { namespace: 'anna' })
  await memory.close()
}
