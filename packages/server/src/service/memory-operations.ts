// The operations of a memory: queries, changes and rewards.

import type { Json, JsonObject } from '@vicinal/core'
import { z } from 'zod'
import { filterOf, memoryFilter } from './input/memory-filter.ts'
import { knownId } from './known-id.ts'
import { operation } from './operation.ts'
import { id, json, k, limit, memoryKey, metadata, nothing, offset } from './schemas.ts'
import { hit, memory, memoryDescription } from './shapes/answers.ts'

const namespace = z.string().min(1).max(1024).optional().describe('Whose memory: a user, an agent, a project.')
const time = z.number().min(0).optional()

export const describeMemory = operation({
  ...{ kind: 'memory', name: 'describe', access: 'read', verb: 'get', path: '' },
  summary: 'What the memory holds, and its options.',
  input: nothing,
  output: memoryDescription,
  run: async ({ name, memory }) => ({
    ...{ kind: 'memory', name, size: memory.size, options: memory.options, stats: await memory.stats() },
  }),
})

export const namespacesOfMemory = operation({
  ...{ kind: 'memory', name: 'namespaces', access: 'read', verb: 'get', path: '/namespaces' },
  summary: 'The namespaces with memories and how many each has, largest first.',
  input: nothing,
  output: z.strictObject({
    namespaces: z.array(
      z.strictObject({
        namespace: z.string().nullable().describe('null for memories without a namespace.'),
        count: z.number(),
      }),
    ),
  }),
  run: ({ memory }) => ({
    namespaces: memory.namespaces().map(({ namespace = null, count }) => ({ namespace, count })),
  }),
})

export const insertMemory = operation({
  ...{ kind: 'memory', name: 'insert', access: 'write', verb: 'post', path: '/insert' },
  summary: 'Remember a value by a key. It is on disk when this is answered.',
  input: z.strictObject({
    key: memoryKey,
    value: json.default(null),
    id: id.optional().describe('Default: the next number.'),
    namespace,
    metadata: metadata.optional(),
    expiresAt: time.describe('When to forget it, in milliseconds since 1970.'),
  }),
  output: z.strictObject({ id }),
  run: async ({ memory }, { key, value, ...options }) => ({
    id: await memory.insert(key, value as Json, given(options)),
  }),
})

export const queryMemory = operation({
  ...{ kind: 'memory', name: 'query', access: 'read', verb: 'post', path: '/query' },
  summary: 'The memories that help most, best first. `score` is the expected reward.',
  input: z.strictObject({
    key: memoryKey,
    k,
    namespace,
    minScore: z.number().min(0).max(1).default(0),
    filter: memoryFilter.optional(),
  }),
  output: z.strictObject({ hits: z.array(hit) }),
  run: ({ memory }, { key, filter, ...options }) => ({
    hits: memory.query(key, { ...given(options), ...(filter && { filter: filterOf(filter) }) }),
  }),
})

export const rewardMemory = operation({
  ...{ kind: 'memory', name: 'reward', access: 'write', verb: 'post', path: '/reward' },
  summary: 'Say how much a hit of a query helped, from 0 to 1: the memory learns from it.',
  input: z.strictObject({
    hit: z
      .looseObject({ id, query: z.looseObject({ key: memoryKey }) })
      .describe('A hit as a query returned it, or { "id", "query": { "key" } }.'),
    reward: z.number().min(0).max(1),
  }),
  output: z.strictObject({ memory }),
  async run({ memory }, { hit, reward }) {
    await memory.update(hit as Parameters<typeof memory.update>[0] & object, reward)
    return { memory: memory.get(hit.id) ?? { id: hit.id, value: null } }
  },
})

export const listMemories = operation({
  ...{ kind: 'memory', name: 'list', access: 'read', verb: 'post', path: '/list' },
  summary: 'Memories in an order, page by page.',
  input: z.strictObject({
    namespace: z
      .string()
      .min(1)
      .max(1024)
      .nullish()
      .describe('Whose memories; null: those without a namespace. Default: all.'),
    ...{ order: z.enum(['newest', 'oldest', 'reward']).default('newest'), offset, limit },
    filter: memoryFilter.optional(),
  }),
  output: z.strictObject({ memories: z.array(memory), count: z.number() }),
  run({ memory }, { filter: conditions, namespace, ...options }) {
    const scope = given({ namespace, filter: conditions && filterOf(conditions) })
    return { memories: memory.list({ ...options, ...scope }), count: memory.count(scope) }
  },
})

export const getMemory = operation({
  ...{ kind: 'memory', name: 'get', access: 'read', verb: 'get', path: '/memories/{id}' },
  summary: 'One memory.',
  input: z.strictObject({ id: z.string() }),
  output: z.strictObject({ memory }),
  run({ name, memory }, { id }) {
    const found = knownId(id, { has: id => memory.get(id) !== undefined }, `${name} has no memory`)
    return { memory: memory.get(found) ?? { id, value: null } }
  },
})

export const removeMemory = operation({
  ...{ kind: 'memory', name: 'remove', access: 'write', verb: 'delete', path: '/memories/{id}' },
  summary: 'Forget a memory.',
  input: z.strictObject({ id: z.string() }),
  output: z.strictObject({ removed: id }),
  async run({ name, memory }, { id }) {
    const removed = knownId(id, { has: id => memory.get(id) !== undefined }, `${name} has no memory`)
    await memory.remove(removed)
    return { removed }
  },
})

/** Leaves out fields that were not given: the engine distinguishes absent from undefined. */
function given<Fields extends JsonObject | object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never // as just filtered
}
