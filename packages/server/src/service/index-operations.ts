// What can be asked of an index of vectors or texts.

import type { QueryOptions, Vector } from '@vicinal/core'
import { z } from 'zod'
import { operation } from './operation.ts'
import { answer, id, json, k, nothing, text, vector } from './schemas.ts'

export const describeIndex = operation({
  ...{ kind: 'index', name: 'describe', access: 'read', verb: 'get', path: '' },
  summary: 'What the index is: its kind, metric, options and size.',
  input: nothing,
  output: answer,
  run: ({ name, index, indexKind, options, buildSeconds }) => ({
    ...{ kind: 'index', name, indexKind, metric: index.metric, rows: index.rows, options, buildSeconds },
  }),
})

const options = z
  .record(z.string(), json)
  .default({})
  .describe("The index's own search options, such as { effort: 2 }.")

export const searchIndex = operation({
  ...{ kind: 'index', name: 'search', access: 'read', verb: 'post', path: '/search' },
  summary: 'The nearest items of a vector or, for indexes of texts, of a text.',
  input: z.union([z.strictObject({ vector, k, options }), z.strictObject({ text, k, options })]),
  output: z.strictObject({ neighbors: z.array(z.looseObject({ id, distance: z.number() })) }),
  run({ index }, { k, options, ...query }) {
    const asked: Vector = 'text' in query ? query.text : query.vector
    return { neighbors: index.search(asked, { ...options, k } as QueryOptions) } // the index checks its options
  },
})
