// The OpenAPI document is valid, complete and true: a validator accepts it, and what it shows is what the service answers.

import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { ForestClassifier } from '@vicinal/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../service/operations.ts'
import { Service } from '../../service/service.ts'
import { exampleNames, exampleOf } from '../../service/shapes/examples.ts'
import { createApp } from '../app.ts'
import { books, type Files, makeFiles } from '../service.cases.ts'
import { openApiDocument } from './openapi.ts'

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly { readonly in: string; readonly example?: unknown }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { example?: unknown }>> }>>
}

const document = openApiDocument('1.2.3')
const described = Object.entries(document.paths as Record<string, Record<string, Described>>).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, one]) => ({ route: `${verb.toUpperCase()} ${path}`, one })),
)

describe('the OpenAPI document', () => {
  it('is valid', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect([valid, errors ?? []]).toEqual([true, []])
  })

  it('is refused by the validator if a part is missing, so the check can fail', async () => {
    const { info: _, ...rest } = structuredClone(document)
    expect((await new Validator().validate(rest)).valid).toBe(false)
  })

  it('names every operation once', () => {
    const ids = described.map(({ one }) => one.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(operations.length)
  })

  it.each(described)('$route has examples, and all errors', ({ one }) => {
    const answers = Object.entries(one.responses)
    const good = answers.filter(([status]) => status.startsWith('2'))
    for (const [status, { content }] of good) {
      expect(Object.values(content ?? {}).every(({ example }) => example !== undefined)).toBe(true)
      expect(content === undefined).toBe(status === '204')
    }
    expect(Object.values(one.requestBody?.content ?? {}).every(({ example }) => example !== undefined)).toBe(true)
    expect(one.parameters.filter(({ in: place }) => place === 'path').every(({ example }) => example)).toBe(true)
    const errors = answers.map(([status]) => status).filter(status => !status.startsWith('2'))
    const ofBody = one.requestBody ? ['408', '413', '415', '422'] : []
    expect(errors).toEqual([...['400', '401', '403', '404', ...ofBody, '503'].sort(), 'default'])
  })
})

describe('the examples', () => {
  let files: Files
  let service: Service

  beforeAll(async () => {
    files = await makeFiles()
    const forest = await ForestClassifier.fit(books, { trees: 3 })
    const path = join(files.folder, 'forest.model')
    await forest.save(path)
    service = await Service.open([...files.paths, path])
  })

  afterAll(async () => {
    await service.close()
    await files.remove()
  })

  // In this order, what one stores another finds.
  const order = ['insert', 'upsert', 'learn']
  const inOrder = [...operations].sort((a, b) => rank(a.name) - rank(b.name))
  function rank(name: string): number {
    if (order.includes(name)) return 0
    return name === 'remove' || name === 'undoCorrection' ? 2 : 1
  }

  it.each(inOrder)('of $kind $name are answered in the shape that is documented', async operation => {
    const example = exampleOf(operation)
    if (!example) throw new Error(`examples.ts has no ${operation.kind}.${operation.name}`)
    const { name = exampleNames[operation.kind], input } = example
    const answer = await service.call(operation.kind, name, operation.name, input)
    for (const one of [JSON.parse(answer), example.output]) {
      expect(operation.output.safeParse(one).error?.issues ?? []).toEqual([])
    }
    // Nothing in the example is invented: the answer has all its fields.
    expect(Object.keys(JSON.parse(answer))).toEqual(expect.arrayContaining(Object.keys(example.output)))
  })

  it('a language is refused if the labels have no names', async () => {
    const asked = service.call('model', 'forest', 'predict', { text: 'Old ships', language: 'fi' })
    await expect(asked).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('no vocabulary'),
    })
  })

  it('are in the document that the service sends', async () => {
    const sent = await createApp(service, { version: '1.2.3' }).request('/openapi.json', {
      headers: { host: 'localhost' },
    })
    expect(await sent.json()).toEqual(JSON.parse(JSON.stringify(document)))
  })
})
