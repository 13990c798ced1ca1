// Bad requests to the operations: their own examples with one thing wrong.

import { type Operation, operations } from '@vicinal/server/http'
import { badBytes, mutated } from './bad-json.cases.ts'
import type { BadRequest, Expected, Pick } from './bad-request.cases.ts'
import { request } from './sent-request.cases.ts'

/** A request that is valid, as the documentation of the API shows it. */
export interface Valid {
  readonly operation: Operation
  readonly method: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

interface Described {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly example?: unknown }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example?: object } } }
}

/** One of every operation, by the examples in the OpenAPI document. */
export function validRequests(document: { readonly paths: Record<string, Record<string, Described>> }): Valid[] {
  const described = Object.values(document.paths).flatMap(verbs => Object.values(verbs))
  return operations.map(operation => {
    const found = described.find(({ operationId }) => operationId === `${operation.kind}_${operation.name}`)
    if (!found) throw new Error(`the OpenAPI document has no ${operation.kind} ${operation.name}`)
    const { name, ...given } = Object.fromEntries(found.parameters.map(({ name, example }) => [name, example]))
    const input = { ...given, ...found.requestBody?.content['application/json'].example }
    return { operation, method: operation.verb.toUpperCase(), name: String(name), input }
  })
}

const plurals = { model: 'models', index: 'indexes', collection: 'collections', memory: 'memories' }

/** '/v1/models/tagger/corrections/correction-1'. */
export function pathOf({ operation: { kind, path }, input, name }: Valid, other = name): string {
  const parts = path.replace(/\{(\w+)\}/g, (_, part) => encodeURIComponent(String(input[part])))
  return `/v1/${plurals[kind]}/${other}${parts}`
}

/** By the operation's own shape. A write that is valid by chance is fair too: nothing else reads what it wrote. */
function expectedOf({ input }: Operation, text: string): Expected {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'refused'
    return input.safeParse(value).success ? 'fair' : 'refused'
  } catch {
    return 'refused'
  }
}

export function badFields(pick: Pick, all: readonly Valid[]): BadRequest {
  const valid = pick.of(all.filter(({ method }) => method === 'POST'))
  const text = mutated(valid.input, pick)
  return {
    what: `${pathOf(valid)} with ${text.slice(0, 200)}`,
    pieces: [request({ path: pathOf(valid) }, text)],
    expected: expectedOf(valid.operation, text),
  }
}

export function badBodies(pick: Pick, all: readonly Valid[]): BadRequest {
  const valid = pick.of(all.filter(({ method }) => method === 'POST'))
  const bytes = badBytes(valid.input, pick)
  const pieces = [request({ path: pathOf(valid) }, bytes)]
  return { what: `${pathOf(valid)} with bytes ${bytes.subarray(0, 40).toString('hex')}`, pieces, expected: 'refused' }
}

const badValues = [
  '',
  ' ',
  'abc',
  '-1',
  '1e9',
  '1.5',
  'NaN',
  'Infinity',
  '0x10',
  'null',
  '[]',
  '%00',
  '%ff',
  '%',
  '%zz',
  '%F0%9F',
  '9'.repeat(400),
]

export function badQueries(pick: Pick, all: readonly Valid[]): BadRequest {
  const valid = pick.of(all.filter(({ method }) => method !== 'POST'))
  const names = Object.keys(valid.input).filter(name => !valid.operation.path.includes(`{${name}}`))
  const name = pick.of([...names, 'unknown', '__proto__', 'limit[]', 'constructor', 'id', ''])
  const query = `?${name}=${pick.of(badValues)}${pick.of(['', '&limit=-5', '&a&b=&&', `&q=${'x'.repeat(3000)}`])}`
  const isUnknown = !names.includes(name) && name !== '' && !(name === 'id' && 'id' in valid.input)
  const pieces = [request({ method: valid.method, path: pathOf(valid) + query })]
  return {
    what: `${valid.method} ${pathOf(valid)}${query.slice(0, 80)}`,
    pieces,
    expected: isUnknown ? 'refused' : 'fair',
  }
}

const badNames = [
  ...[
    'nobody',
    '..',
    '../..',
    '%2e%2e',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '..%2f',
    '..%5c',
    '....//',
    '.',
    '%00',
    'tagger%00',
  ],
  ...[
    'tagger.model',
    '%2Fetc%2Fpasswd',
    'C:%5C',
    '%ff%fe',
    '%',
    '%zz',
    '__proto__',
    'constructor',
    'toString',
    'Tagger',
  ],
  ...[
    'tagger%20',
    '%E2%80%AEtagger',
    'ｔagger',
    'a'.repeat(5000),
    '*',
    ';',
    'tagger;id=1',
    '~',
    '%7e',
    'tagger\\',
    'tagger//',
  ],
]

/** Those lead to another path, as the URL standard says; it may be one that exists. */
const dots = ['..', '../..', '.', '%2e%2e']

export function badPaths(pick: Pick, all: readonly Valid[]): BadRequest {
  const valid = pick.of(all)
  const name = pick.of(badNames)
  const path = pathOf(valid, Buffer.from(name).toString('latin1'))
  const body = valid.method === 'POST' ? JSON.stringify(valid.input) : undefined
  const pieces = [request({ method: valid.method, path }, body)]
  return { what: `${valid.method} ${path.slice(0, 120)}`, pieces, expected: dots.includes(name) ? 'fair' : 'refused' }
}

export function badIds(pick: Pick, all: readonly Valid[]): BadRequest {
  const valid = pick.of(all.filter(({ operation }) => operation.path.includes('{id}')))
  const id = pick.of(badNames)
  const path = pathOf(valid).replace(/[^/]+$/, Buffer.from(id).toString('latin1'))
  const pieces = [request({ method: valid.method, path })]
  return { what: `${valid.method} ${path.slice(0, 120)}`, pieces, expected: dots.includes(id) ? 'fair' : 'refused' }
}

const badTokens = ['', 'Bearer', 'Bearer ', 'Bearer wrong', 'Basic YTpi', `Bearer ${'x'.repeat(5000)}`, 'Bearer reader-reader-reade', 'bearer\treader-reader-reader', 'Bearer writer-writer-writer ,', 'Bearer \u00ff'] // biome-ignore format: one line

/** To the service that wants tokens: none, a wrong one, or one that may only read. */
export function badAccess(pick: Pick, all: readonly Valid[]): BadRequest {
  const valid = pick.of(all)
  const mayRead = valid.operation.access === 'write' && pick.below(3) === 0
  const authorization = mayRead ? 'Bearer reader-reader-reader' : pick.of(badTokens)
  const body = valid.method === 'POST' ? JSON.stringify(valid.input) : undefined
  return {
    what: `${valid.method} ${pathOf(valid)} as ${authorization.slice(0, 40)}`,
    pieces: [request({ method: valid.method, path: pathOf(valid), headers: { authorization } }, body)],
    ...{ expected: 'refused', isGuarded: true },
  }
}
