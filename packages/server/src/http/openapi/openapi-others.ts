// Routes in the OpenAPI document that are not operations.

import { problemsOf } from './openapi-problems.ts'

type Fields = Readonly<Record<string, object>>

const text = { type: 'string' }
const textOrNull = { type: ['string', 'null'] }
const number = { type: 'number' }
const whole = { type: 'integer' }

function list(items: object): object {
  return { type: 'array', items }
}

/** All fields are required, except those named. */
function object(properties: Fields, ...optional: string[]): object {
  return { type: 'object', properties, required: Object.keys(properties).filter(name => !optional.includes(name)) }
}

interface Described {
  readonly id: string
  readonly summary: string
  readonly tag: string
  readonly parameters?: readonly object[]
  readonly body?: { readonly type: string; readonly schema: object; readonly example?: unknown }
  readonly answer?: { readonly type?: string; readonly schema: object; readonly example?: unknown }
}

/** Without an answer, 204. */
function described({ id, summary, tag, parameters = [], body, answer }: Described): object {
  const content = answer && { [answer.type ?? 'application/json']: { schema: answer.schema, ...exampleOf(answer) } }
  return {
    ...{ operationId: id, summary, tags: [tag], parameters },
    ...(body && {
      requestBody: { required: true, content: { [body.type]: { schema: body.schema, ...exampleOf(body) } } },
    }),
    responses: {
      ...(content ? { 200: { description: 'The answer.', content } } : { 204: { description: 'Done.' } }),
      ...problemsOf(body !== undefined),
    },
  }
}

function exampleOf({ example }: { readonly example?: unknown }): { example?: unknown } {
  return example === undefined ? {} : { example }
}

const project = { name: 'project', in: 'path', required: true, description: 'The name of a model.', schema: text }
const model = { name: 'name', in: 'path', required: true, description: 'The name of the model.', schema: text }
const query = (name: string, schema: object, example: unknown) => ({ name, in: 'query', schema, example })
const json = 'application/json'

const vocabulary = object({ vocab_id: text, languages: list(text), size: whole, loaded: { type: 'boolean' } })
const projectSchema = object({
  ...{ project_id: text, name: text, language: text, backend: object({ backend_id: text }) },
  vocab: { anyOf: [vocabulary, { type: 'null' }] },
  ...{ vocab_language: textOrNull, is_trained: { type: 'boolean' }, modification_time: textOrNull },
})
const projectExample = {
  ...{ project_id: 'tagger', name: 'tagger', language: 'en', backend: { backend_id: 'lcif' } },
  vocab: { vocab_id: 'tagger', languages: ['en', 'fi'], size: 5, loaded: true },
  ...{ vocab_language: 'en', is_trained: true, modification_time: '2026-11-18T08:00:00.000Z' },
}
const results = list(object({ uri: text, label: text, notation: textOrNull, score: number }))
const resultsExample = [{ uri: 'ships', label: 'Ships', notation: null, score: 0.997 }]
const suggestOptions = {
  limit: { ...whole, minimum: 0, maximum: 1000, default: 10 },
  threshold: { ...number, minimum: 0, maximum: 1, default: 0 },
  language: text,
}
const documents = list(object({ text, document_id: textOrNull }, 'document_id'))
const subjects = list(object({ uri: text, label: text }, 'uri', 'label'))
const state = object({ status: text })

export const otherPaths: Readonly<Record<string, object>> = {
  '/health': {
    get: described({
      ...{ id: 'health', summary: 'Whether the process answers.', tag: 'service' },
      answer: { schema: state, example: { status: 'ok' } },
    }),
  },
  '/ready': {
    get: described({
      ...{ id: 'ready', summary: 'Whether everything is loaded.', tag: 'service' },
      answer: { schema: object({ status: text, served: whole }), example: { status: 'ready', served: 4 } },
    }),
  },
  '/metrics': {
    get: described({
      ...{ id: 'metrics', summary: 'Counts and times of requests, for Prometheus.', tag: 'service' },
      answer: { type: 'text/plain', schema: text, example: 'vicinal_requests_active 1' },
    }),
  },
  '/v1/served': {
    get: described({
      ...{ id: 'served', summary: 'What is served, by kind and name.', tag: 'service' },
      answer: {
        schema: object({ served: list(object({ kind: text, name: text })) }),
        example: { served: [{ kind: 'model', name: 'tagger' }] },
      },
    }),
  },
  '/v1/models/{name}/predict-stream': {
    post: described({
      ...{ id: 'predict_stream', tag: 'models' },
      summary: 'Suggest labels for a stream of items, a line of JSON each; answers come in the same order.',
      parameters: [
        { ...model, example: 'tagger' },
        query('top', { ...whole, minimum: 1, maximum: 1000 }, 1),
        query('thresholded', { type: 'boolean' }, false),
        query('language', text, 'en'),
      ],
      body: { type: 'application/x-ndjson', schema: text, example: '{"text": "Old ships"}\n' },
      answer: { type: 'application/x-ndjson', schema: text, example: '{"labels":[{"label":"ships","score":0.997}]}\n' },
    }),
  },
  '/v1/': {
    get: described({
      ...{ id: 'annif_info', summary: "The name and version of the service, in Annif's shape.", tag: 'annif' },
      answer: { schema: object({ title: text, version: text }), example: { title: 'Vicinal', version: '0.1.0' } },
    }),
  },
  '/v1/vocabs': {
    get: described({
      ...{ id: 'annif_vocabs', summary: "The vocabularies of models, in Annif's shape.", tag: 'annif' },
      answer: { schema: object({ vocabs: list(vocabulary) }), example: { vocabs: [projectExample.vocab] } },
    }),
  },
  '/v1/projects': {
    get: described({
      ...{ id: 'annif_projects', summary: "The models, in Annif's shape.", tag: 'annif' },
      answer: { schema: object({ projects: list(projectSchema) }), example: { projects: [projectExample] } },
    }),
  },
  '/v1/projects/{project}': {
    get: described({
      ...{ id: 'annif_project', summary: "One model, in Annif's shape.", tag: 'annif' },
      parameters: [{ ...project, example: 'tagger' }],
      answer: { schema: projectSchema, example: projectExample },
    }),
  },
  '/v1/projects/{project}/suggest': {
    post: described({
      ...{ id: 'annif_suggest', summary: 'Suggest subjects for a text.', tag: 'annif' },
      parameters: [{ ...project, example: 'tagger' }],
      body: {
        type: 'application/x-www-form-urlencoded',
        schema: object({ text, ...suggestOptions }, ...Object.keys(suggestOptions)),
        example: { text: 'Old ships', limit: 1 },
      },
      answer: { schema: object({ results }), example: { results: resultsExample } },
    }),
  },
  '/v1/projects/{project}/suggest-batch': {
    post: described({
      ...{ id: 'annif_suggest_batch', summary: 'Suggest subjects for up to 32 texts.', tag: 'annif' },
      parameters: [
        { ...project, example: 'tagger' },
        ...[query('limit', suggestOptions.limit, 1), query('threshold', suggestOptions.threshold, 0.1)],
        query('language', text, 'en'),
      ],
      body: {
        type: json,
        schema: object({ documents }),
        example: { documents: [{ document_id: 'doc-1', text: 'Old ships' }] },
      },
      answer: {
        schema: list(object({ document_id: textOrNull, results })),
        example: [{ document_id: 'doc-1', results: resultsExample }],
      },
    }),
  },
  '/v1/projects/{project}/learn': {
    post: described({
      ...{ id: 'annif_learn', summary: 'Learn from texts with their subjects.', tag: 'annif' },
      parameters: [{ ...project, example: 'tagger' }],
      body: {
        type: json,
        schema: list(object({ text, subjects })),
        example: [{ text: 'Birds of the sea', subjects: [{ uri: 'birds' }] }],
      },
    }),
  },
  '/v1/detect-language': {
    post: described({
      ...{ id: 'annif_detect_language', tag: 'annif' },
      summary: 'Always unknown: Vicinal does not detect languages.',
      body: {
        type: json,
        schema: object({ text, languages: list(text) }),
        example: { text: 'Old ships', languages: ['en', 'fi'] },
      },
      answer: {
        schema: object({ results: list(object({ language: textOrNull, score: number })) }),
        example: { results: [{ language: null, score: 1 }] },
      },
    }),
  },
}
