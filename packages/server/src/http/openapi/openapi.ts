// The OpenAPI 3.1 document, generated from the operations, so that it matches what the service checks.

import { z } from 'zod'
import type { Operation } from '../../service/operation.ts'
import { operations } from '../../service/operations.ts'
import { plural } from '../../service/service.ts'
import { exampleNames, exampleOf } from '../../service/shapes/examples.ts'
import { routePath } from '../routes.ts'
import { otherPaths } from './openapi-others.ts'
import { problemComponents, problemsOf } from './openapi-problems.ts'

type Json = Record<string, unknown>

export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = routePath(operation)
    paths[path] = { ...paths[path], [operation.verb]: described(operation) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vicinal',
      version,
      description: 'Search, labels with reasons, and a memory that learns from rewards.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{}, { token: [] }],
    tags: [...new Set(operations.map(({ kind }) => plural(kind))), 'service', 'annif'].map(name => ({ name })),
    paths: { ...paths, ...otherPaths },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, ...problemComponents },
  }
}

function described(operation: Operation): Json {
  const hasBody = operation.verb === 'post' || operation.verb === 'put'
  const { input, output, name } = exampleOf(operation) ?? {}
  return {
    operationId: `${operation.kind}_${operation.name}`,
    summary: operation.summary,
    tags: [plural(operation.kind)],
    parameters: [nameParameter(operation, name), ...(hasBody ? [] : parametersOf(operation))],
    ...(hasBody && { requestBody: { required: true, content: jsonOf(operation.input, 'input', input) } }),
    responses: {
      200: { description: 'The answer.', content: jsonOf(operation.output, 'output', output) },
      ...problemsOf(hasBody),
    },
  }
}

function nameParameter({ kind }: Operation, example: string = exampleNames[kind]): Json {
  return {
    name: 'name',
    in: 'path',
    required: true,
    description: `The name of the ${kind}.`,
    schema: { type: 'string' },
    example,
  }
}

function parametersOf(operation: Operation): Json[] {
  const { input, path } = operation
  const examples = (exampleOf(operation)?.input ?? {}) as Json // fields by name
  const { properties = {}, required = [] } = schemaOf(input, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, schema]) => {
    const inPath = path.includes(`{${name}}`)
    const example = Object.hasOwn(examples, name) ? { example: examples[name] } : {}
    return { name, in: inPath ? 'path' : 'query', required: inPath || required.includes(name), schema, ...example }
  })
}

function jsonOf(shape: z.ZodType, io: 'input' | 'output', example?: object): Json {
  return { 'application/json': { schema: schemaOf(shape, io), ...(example && { example }) } }
}

function schemaOf(shape: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' })
  return schema
}
