// Every operation as a route: /v1/models/{name}/predict, and so on.

import type { Context, Hono } from 'hono'
import type { Operation } from '../service/operation.ts'
import { operations } from '../service/operations.ts'
import { plural, type ServiceCalls } from '../service/service.ts'
import { readJson } from './body.ts'
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

/** What a request says: its body, or for requests without one, its query; and the parts of its path. */
async function inputOf(
  context: Context,
  { verb }: Operation,
  parts: Record<string, string>,
  settings: HttpSettings,
): Promise<unknown> {
  if (verb === 'get' || verb === 'delete') return { ...context.req.query(), ...parts }
  checkJsonType(context.req.header('content-type'))
  const body = await readJson(context.req.raw, settings)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new HttpProblem(400, 'BAD_JSON', 'the body is not an object')
  }
  return { ...body, ...parts }
}

/** A page of another origin can send other types without asking first. */
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
  const signal = AbortSignal.timeout(timeoutMs)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(
        new HttpProblem(503, 'TIME_OUT', `the operation took longer than ${timeoutMs} ms`, {
          headers: { 'retry-after': '10' },
        }),
      )
    })
  })
  return Promise.race([service.call(kind, name, operation, input, signal), late])
}
