// The operations of an index of vectors or texts.

import type { Id, QueryOptions, SearchIndex, Vector } from '@vicinal/core'
import { measureIndex, searchLike, storedItem } from '@vicinal/core/inspect'
import { z } from 'zod'
import { knownId } from './known-id.ts'
import { NotFound } from './not-found.ts'
import { operation } from './operation.ts'
import { id, json, k, limitText, nothing, text, vector, wholeText } from './schemas.ts'
import { indexDescription } from './shapes/answers.ts'

export const describeIndex = operation({
  ...{ kind: 'index', name: 'describe', access: 'read', verb: 'get', path: '' },
  summary: 'What the index is: its kind, metric, options and size, and how its searches can trade recall for time.',
  input: nothing,
  output: indexDescription,
  run({ name, bytes, opened: { index, kind, options, buildSeconds } }) {
    const { dims } = index as { dims?: number } // those of dense vectors
    return {
      ...{ kind: 'index', name, indexKind: kind.name, metric: index.metric, rows: index.rows, options, buildSeconds },
      ...{ layout: index.layout ?? kind.data, ...(dims && { dims }), bytes },
      ...{ efforts: kind.efforts(index).filter(hasOptions), searchDefaults: kind.searchDefaults(index) },
    }
  },
})

const options = z
  .record(z.string(), json)
  .default({})
  .describe("The index's own search options, such as those in `efforts` of its description.")

const vectors = z.boolean().default(false).describe('Whether neighbors come with what the index stores of them.')

const stored = z.looseObject({ id }).describe('With its vector, its indices and values, or its text.')

export const searchIndex = operation({
  ...{ kind: 'index', name: 'search', access: 'read', verb: 'post', path: '/search' },
  summary: 'The nearest items of a vector, of a stored item or, for indexes of texts, of a text.',
  input: z.union([
    z.strictObject({ vector, k, options, vectors }),
    z.strictObject({ text, k, options, vectors }),
    z.strictObject({ like: id.describe('The id of a stored item, to find others like it.'), k, options, vectors }),
  ]),
  output: z.strictObject({
    neighbors: z.array(z.looseObject({ id, distance: z.number() })),
    micros: z.number().describe('What the search took, in microseconds.'),
    candidates: z.number().optional().describe('How many rows it compared, if the index reports it.'),
  }),
  run({ name, opened: { index } }, { k, options, vectors, ...query }) {
    const asked = { ...options, k } as QueryOptions // the index checks its options
    const item = 'like' in query ? likeOf(index, query.like, name) : 'text' in query ? query.text : query.vector
    const start = performance.now()
    const found = 'like' in query ? searchLike(index, query.like, asked) : index.search(item, asked)
    const micros = (performance.now() - start) * 1000
    const candidates = index.searchCandidates?.(item, 'like' in query ? { ...asked, k: k + 1 } : asked)
    const neighbors = vectors ? found.map(one => ({ ...one, ...storedJson(index, one.id) })) : found
    return { neighbors, micros, ...(candidates !== undefined && { candidates }) }
  },
})

export const listItems = operation({
  ...{ kind: 'index', name: 'items', access: 'read', verb: 'get', path: '/items' },
  summary: 'The ids of stored items, in insertion order; with `search`, those that contain it.',
  input: z.strictObject({
    search: z.string().max(1024).default(''),
    offset: wholeText(0, 1_000_000_000, 0).describe('How many to skip.'),
    limit: limitText,
  }),
  output: z.strictObject({ items: z.array(z.strictObject({ id })), count: z.number() }),
  run({ opened: { index } }, { search, offset, limit }) {
    const ids = idsOf(index).filter(id => String(id).includes(search))
    return { items: ids.slice(offset, offset + limit).map(id => ({ id })), count: ids.length }
  },
})

export const getItem = operation({
  ...{ kind: 'index', name: 'get', access: 'read', verb: 'get', path: '/items/{id}' },
  summary: 'What the index stores of an item. Under the metric cosine, vectors have length 1.',
  input: z.strictObject({ id: z.string() }),
  output: z.strictObject({ item: stored }),
  run({ name, opened: { index } }, { id }) {
    const known = knownId(id, { has: id => index.rowOf(id) !== undefined }, `${name} has no item`)
    return { item: { id: known, ...storedJson(index, known) } }
  },
})

export const curveOfIndex = operation({
  ...{ kind: 'index', name: 'curve', access: 'read', verb: 'post', path: '/curve' },
  summary: 'Recall against time per query, measured on some stored items, for each effort.',
  input: z.strictObject({
    k: z.number().int().min(1).max(100).default(10).describe('How many neighbors.'),
    queries: z.number().int().min(1).max(1000).default(100).describe('How many stored items to search for.'),
  }),
  output: z.strictObject({
    points: z.array(
      z.strictObject({
        ...{ recall: z.number(), microsPerQuery: z.number(), candidates: z.number() },
        options: z.record(z.string(), json),
      }),
    ),
    ...{ k: z.number(), queries: z.number() },
  }),
  run: ({ opened }, { k, queries }, signal) => measureIndex(opened, { k, queries, signal }),
})

function hasOptions(effort: QueryOptions): boolean {
  return Object.keys(effort).length > 0
}

function idsOf(index: SearchIndex): Id[] {
  return Array.from({ length: index.rowNumbers }, (_, row) => index.idOf(row)).filter(id => id !== undefined)
}

function likeOf(index: SearchIndex, id: Id, name: string): Vector {
  const item = storedItem(index, id)
  if (item === undefined) throw new NotFound(`${name} has no item ${JSON.stringify(id)}`)
  return item
}

function storedJson(index: SearchIndex, id: Id): object {
  const item = storedItem(index, id)
  if (typeof item === 'string') return { text: item }
  return item !== undefined && 'indices' in item ? { indices: item.indices, values: item.values } : { vector: item }
}
