// The OpenAPI 3.1 document, made from the operations: what it says is what the service checks.

import { z } from 'zod'
import type { Operation } from '../service/operation.ts'
import { operations } from '../service/operations.ts'
import { plural } from '../service/service.ts'
import { otherPaths } from './openapi-others.ts'
import { routePath } from './routes.ts'

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
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: problemSchema },
      responses: {
        Problem: {
          description: 'What was wrong, and what to do.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  }
}

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    ...{ type: { type: 'string' }, title: { type: 'string' }, status: { type: 'integer' }, detail: { type: 'string' } },
    ...{ code: { type: 'string' }, hint: { type: 'string' } },
  },
}

function described(operation: Operation): Json {
  const hasBody = operation.verb === 'post' || operation.verb === 'put'
  return {
    operationId: `${operation.kind}_${operation.name}`,
    summary: operation.summary,
    tags: [plural(operation.kind)],
    parameters: [nameParameter(operation), ...(hasBody ? [] : parametersOf(operation))],
    ...(hasBody && { requestBody: { required: true, content: jsonOf(operation.input, 'input') } }),
    responses: {
      200: { description: 'The answer.', content: jsonOf(operation.output, 'output') },
      default: { $ref: '#/components/responses/Problem' },
    },
  }
}

function nameParameter({ kind }: Operation): Json {
  return {
    name: 'name',
    in: 'path',
    required: true,
    description: `The name of the ${kind}.`,
    schema: { type: 'string' },
  }
}

function parametersOf({ input, path }: Operation): Json[] {
  const { properties = {}, required = [] } = schemaOf(input, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, schema]) => {
    const inPath = path.includes(`{${name}}`)
    return { name, in: inPath ? 'path' : 'query', required: inPath || required.includes(name), schema }
  })
}

function jsonOf(shape: z.ZodType, io: 'input' | 'output'): Json {
  return { 'application/json': { schema: schemaOf(shape, io) } }
}

function schemaOf(shape: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' })
  return schema
}
