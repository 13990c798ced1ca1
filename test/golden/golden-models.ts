// The golden models: one file per method in a folder per format version, with queries and the exact answers to them. They stand for the
// files that people have. The folder's README says what to do when the format changes.

import {
  Collection,
  type CollectionQuery,
  ExactIndex,
  type JsonObject,
  loadClassifier,
  loadIndex,
  MemoryTree,
} from 'vicinal'

export const goldenFolder: string = import.meta.dirname

type Family = 'index' | 'classifier' | 'memory' | 'collection'

export interface GoldenModel {
  /** `name`.model is its file. */
  readonly name: string
  readonly family: Family
  readonly query: unknown
  readonly answers: unknown
}

/** The version of the format that models are saved in today, from the header of one. */
export async function formatVersion(): Promise<number> {
  const bytes = (await ExactIndex.fit([[1]])).toBytes()
  return Number(/"formatVersion":"(\d+)"/.exec(Buffer.from(bytes).toString('latin1'))?.[1])
}

/** Loads a model and asks it everything that golden answers hold, as JSON. */
export async function askModel(path: string, family: Family, query: unknown): Promise<unknown> {
  return plain(await asking[family](path, query as never)) // each family asks in its own way
}

const asking: Record<Family, (path: string, query: never) => Promise<unknown>> = {
  async index(path, query) {
    const { index, kind } = await loadIndex(path)
    return { kind: kind.name, rows: index.rows, neighbors: index.search(query, { k: 5 }) }
  },
  async classifier(path, query) {
    const model = await loadClassifier(path)
    const labels = model.predict(query, { top: 3 })
    return { method: model.method, labels, because: model.explain(query, labels[0]?.label) }
  },
  async memory(path, query) {
    const memory = await MemoryTree.load(path)
    const hits = memory.query(query, { k: 5 })
    return { size: memory.size, hits: hits.map(({ id, value, score, distance }) => ({ id, value, score, distance })) }
  },
  async collection(path, query: CollectionQuery<JsonObject>) {
    const collection = await Collection.load(path)
    const { text, vector, filter } = query
    const both: CollectionQuery<JsonObject>[] = [{ vector, filter }, { ...query, fusion: 'ranks' }, query]
    const byVectors = collection.stats().vectors > 0 ? both : []
    const answers = []
    for (const question of [{ text }, { text, typos: true, prefix: true }, ...byVectors]) {
      answers.push(await collection.search({ ...question, k: 5 }))
    }
    return { documents: collection.count(), settings: collection.settings, answers }
  },
}

/** As JSON keeps it: typed arrays as lists. */
export function plain(value: unknown): unknown {
  const lists = (_: string, item: unknown) => (ArrayBuffer.isView(item) ? Array.from(item as Float32Array) : item)
  return JSON.parse(JSON.stringify(value, lists))
}
