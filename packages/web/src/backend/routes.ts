// The address of every operation. Parts in braces are fields of the input.

import type { ServedKind } from './backend.ts'

type Route = readonly [verb: 'GET' | 'POST' | 'DELETE', path: string]

export const folders: Readonly<Record<ServedKind, string>> = {
  model: 'models',
  index: 'indexes',
  collection: 'collections',
  memory: 'memories',
}

export const routes: Readonly<Record<ServedKind, Readonly<Record<string, Route>>>> = {
  model: {
    describe: ['GET', ''],
    predict: ['POST', '/predict'],
    predictBatch: ['POST', '/predict-batch'],
    explain: ['POST', '/explain'],
    labels: ['GET', '/labels'],
    learn: ['POST', '/learn'],
    corrections: ['GET', '/corrections'],
    undoCorrection: ['DELETE', '/corrections/{id}'],
    evaluate: ['POST', '/evaluate'],
    quality: ['GET', '/quality'],
    map: ['GET', '/map'],
    tree: ['GET', '/tree'],
  },
  index: {
    describe: ['GET', ''],
    search: ['POST', '/search'],
    items: ['GET', '/items'],
    get: ['GET', '/items/{id}'],
    curve: ['POST', '/curve'],
  },
  collection: {
    describe: ['GET', ''],
    search: ['POST', '/search'],
    list: ['POST', '/list'],
    get: ['GET', '/documents/{id}'],
    upsert: ['POST', '/documents'],
    remove: ['DELETE', '/documents/{id}'],
  },
  memory: {
    describe: ['GET', ''],
    namespaces: ['GET', '/namespaces'],
    insert: ['POST', '/insert'],
    query: ['POST', '/query'],
    reward: ['POST', '/reward'],
    list: ['POST', '/list'],
    get: ['GET', '/memories/{id}'],
    remove: ['DELETE', '/memories/{id}'],
  },
}
