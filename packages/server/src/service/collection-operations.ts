// The operations of a collection of documents: searches and changes.

import type { JsonObject } from '@vicinal/core'
import type { CollectionDocument, CollectionQuery, MetadataFilter } from '@vicinal/core/collection'
import { z } from 'zod'
import { knownId } from './known-id.ts'
import { operation } from './operation.ts'
import { id, json, k, limit, metadata, nothing, offset, text, vector } from './schemas.ts'
import { collectionDescription } from './shapes/answers.ts'

const filter = z
  .record(z.string(), json)
  .describe('Conditions on metadata, such as { "year": { "gte": 1990 }, "lang": "fi" }.')

const document = z.strictObject({
  id,
  text: text.optional(),
  fields: z.record(z.string(), text).optional().describe('More texts, by field.'),
  vector: vector.optional(),
  metadata: metadata.optional(),
})

export const describeCollection = operation({
  ...{ kind: 'collection', name: 'describe', access: 'read', verb: 'get', path: '' },
  summary: 'What the collection holds, and how it searches.',
  input: nothing,
  output: collectionDescription,
  run: ({ name, collection }) => ({
    kind: 'collection',
    name,
    stats: collection.stats(),
    settings: collection.settings,
  }),
})

export const searchCollection = operation({
  ...{ kind: 'collection', name: 'search', access: 'read', verb: 'post', path: '/search' },
  summary: 'The best documents by words, by vector, by both, or like a stored document.',
  input: z.strictObject({
    text: text.optional(),
    vector: vector.optional(),
    like: id.optional().describe('The id of a stored document, to find others like it.'),
    filter: filter.optional(),
    k,
    offset,
    fields: z.union([z.array(z.string()), z.record(z.string(), z.number())]).optional(),
    prefix: z
      .union([z.boolean(), z.literal('last')])
      .optional()
      .describe('Match words that begin with those given.'),
    typos: z.boolean().optional().describe('Match words with typos.'),
    fusion: z.string().optional().describe('How to fuse words and vectors: by scores (the default) or by ranks.'),
    weights: z.strictObject({ text: z.number().optional(), vector: z.number().optional() }).optional(),
  }),
  output: z.strictObject({ hits: z.array(z.looseObject({ id, score: z.number() })) }),
  run: async ({ collection }, query, signal) => ({
    hits: await collection.search({ ...query, signal } as CollectionQuery<JsonObject>), // the collection checks the rest
  }),
})

export const listDocuments = operation({
  ...{ kind: 'collection', name: 'list', access: 'read', verb: 'post', path: '/list' },
  summary: 'Documents in insertion order, without their vectors.',
  input: z.strictObject({ filter: filter.optional(), offset, limit }),
  output: z.strictObject({ documents: z.array(z.looseObject({ id })), count: z.number() }),
  run({ collection }, { filter, offset, limit }) {
    const wanted = filter as MetadataFilter<JsonObject> | undefined // the collection checks it
    return { documents: collection.list({ filter: wanted, offset, limit }), count: collection.count(wanted) }
  },
})

export const getDocument = operation({
  ...{ kind: 'collection', name: 'get', access: 'read', verb: 'get', path: '/documents/{id}' },
  summary: 'One document, with its vector.',
  input: z.strictObject({ id: z.string() }),
  output: z.strictObject({ document: z.looseObject({ id }) }),
  run({ name, collection }, { id }) {
    const { vector, ...document } = collection.get(knownId(id, collection, `${name} has no document`)) ?? { id }
    return { document: { ...document, ...(vector && { vector: Array.from(vector) }) } }
  },
})

export const upsertDocuments = operation({
  ...{ kind: 'collection', name: 'upsert', access: 'write', verb: 'post', path: '/documents' },
  summary:
    'Store documents, replacing those with the same ids: all, or none if one is refused. They are on disk when this is answered.',
  input: z.strictObject({ documents: z.array(document).min(1).max(10_000) }),
  output: z.strictObject({ stored: z.number() }),
  async run({ collection }, { documents }, signal) {
    const given = documents as CollectionDocument<JsonObject>[] // the collection checks them
    collection.checkDocuments(given)
    return { stored: await collection.upsertMany(given, { signal }) }
  },
})

export const removeDocument = operation({
  ...{ kind: 'collection', name: 'remove', access: 'write', verb: 'delete', path: '/documents/{id}' },
  summary: 'Remove a document.',
  input: z.strictObject({ id: z.string() }),
  output: z.strictObject({ removed: id }),
  async run({ name, collection }, { id }) {
    const removed = knownId(id, collection, `${name} has no document`)
    await collection.remove(removed)
    return { removed }
  },
})
