// Every operation as a route: /v1/models/{name}/predict, and so on.

import type { Context, Hono } from 'hono'
import { JsonBody } from '../service/input/json-body.ts'
import type { Operation } from '../service/operation.ts'
import { operations } from '../service/operations.ts'
import { plural, type ServiceCalls } from '../service/service.ts'
import { readBody } from './body.ts'
import { checkToken } from './guard.ts'
import { HttpProblem } from './problem.ts'
import type { HttpSettings } from './settings.ts'

/** '/v1/models/{name}/predict'. */
export function routePath({ kind, path }: Operation): string {
  return `/v1/${plural(kind)}/{name}${path}`
}

export function addRoutes(app: Hono, service: ServiceCalls, settings: HttpSettings): void {
  for (const operation of operations) {
    const path = routePath(operation).replace(/\{(\w+)\}/g, ':$1')
    app.on(operation.verb.toUpperCase(), path, async context => {
      checkToken(context.req.header('authorization'), settings.tokens, operation.access)
      const { name = '', ...parts } = context.req.param() as Record<string, string>
      const input = await inputOf(context, operation, parts, settings)
      const answer = await timed(service, operation, name, input, settings)
      return context.body(answer, 200, { 'content-type': 'application/json' })
    })
  }
}

/** The input of a request: its body or, without one, its query string; and the fields in its path. */
async function inputOf(
  context: Context,
  { verb }: Operation,
  parts: Record<string, string>,
  settings: HttpSettings,
): Promise<unknown> {
  if (verb === 'get' || verb === 'delete') return { ...context.req.query(), ...parts }
  checkJsonType(context.req.header('content-type'))
  return new JsonBody(await readBody(context.req.raw, settings), parts)
}

/** Pages from other origins can send other content types without a preflight request. */
function checkJsonType(type: string | undefined): void {
  if (/^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type ?? '')) return
  throw new HttpProblem(415, 'NOT_JSON', `the content type is ${JSON.stringify(type ?? '')}, expected application/json`)
}

/** Stops the operation when the time is up. */
export async function timed(
  service: ServiceCalls,
  { kind, name: operation }: Pick<Operation, 'kind' | 'name'>,
  name: string,
  input: unknown,
  { timeoutMs }: HttpSettings,
): Promise<string> {
  const stopper = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(tooLong(timeoutMs))
      stopper.abort()
    }, timeoutMs)
  })
  try {
    return await Promise.race([service.call(kind, name, operation, input, stopper.signal), late])
  } finally {
    clearTimeout(timer) // otherwise it keeps the request in memory
  }
}

function tooLong(timeoutMs: number): HttpProblem {
  return new HttpProblem(503, 'TIME_OUT', `the operation took longer than ${timeoutMs} ms`, {
    hint: 'Send less at once, or start the service with a larger --timeout.',
    headers: { 'retry-after': '10' },
  })
}
