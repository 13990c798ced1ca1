// The HTTP service as a function from requests to answers: guards, routes, errors. It needs no socket, so tests call it directly.

import { type Check, checkFunction, checkOptions, checkText, fillOptions, optionTable } from '@vicinal/core/internals'
import { Hono } from 'hono'
import { mcpHandler } from '../mcp/mcp-server.ts'
import type { ToolSettings } from '../mcp/tools.ts'
import type { ServiceCalls } from '../service/service.ts'
import { addAnnifRoutes } from './annif/annif.ts'
import { readBody } from './body.ts'
import { checkHost, checkOrigin, checkToken } from './guard.ts'
import { LimitedCalls } from './limited-calls.ts'
import { Metrics } from './metrics.ts'
import { docsPage } from './openapi/docs-page.ts'
import { openApiDocument } from './openapi/openapi.ts'
import { addPage } from './page.ts'
import { predictStream } from './predict-stream.ts'
import { HttpProblem, problemOf, problemResponse } from './problem.ts'
import { addRoutes } from './routes.ts'
import { type HttpSettings, httpChecks, httpDefaults } from './settings.ts'

export interface AppOptions extends Partial<HttpSettings>, ToolSettings {
  /** The folder of a built page to answer at `/`, such as `pageFolder` of @vicinal/web. Default: no page. */
  readonly page?: string
  /** Shown in the OpenAPI document. */
  readonly version?: string
  /** Called with errors that are bugs of ours. */
  readonly onBug?: (error: unknown) => void
}

export const appChecks: Readonly<Record<keyof AppOptions, Check>> = {
  ...httpChecks,
  ...{ page: checkText, version: checkText, onBug: checkFunction, namespace: checkText },
}
const appOptions = optionTable<AppOptions>(appChecks)

export function createApp(given: ServiceCalls, options: AppOptions = {}): Hono {
  checkOptions(options, appOptions)
  const { page, version = '0.0.0', onBug, namespace, ...others } = options
  const settings = fillOptions<HttpSettings>(httpDefaults, others)
  const service = new LimitedCalls(given, settings.waiting)
  const app = new Hono()
  const metrics = new Metrics()
  guard(app, settings, metrics)
  const mayRead = (authorization: string | undefined) => checkToken(authorization, settings.tokens, 'read')
  app.get('/health', context => context.json({ status: 'ok' }))
  app.get('/ready', context => context.json({ status: 'ready', served: service.served.length }))
  app.get('/metrics', async context => {
    mayRead(context.req.header('authorization'))
    return context.body(await metrics.text(), 200, { 'content-type': metrics.type })
  })
  app.get('/openapi.json', context => context.json(openApiDocument(version)))
  app.get('/docs', context => context.html(docsPage(openApiDocument(version))))
  app.get('/v1/served', context => {
    mayRead(context.req.header('authorization'))
    return context.json({ served: service.served, version })
  })
  app.post('/v1/models/:name/predict-stream', context => {
    mayRead(context.req.header('authorization'))
    return predictStream(context, service, context.req.param('name'), settings)
  })
  const mcp = mcpHandler(service, { version, ...(namespace !== undefined && { namespace }) })
  app.all('/mcp', async context => {
    // Its tools change things, and who calls cannot be told which.
    checkToken(context.req.header('authorization'), settings.tokens, 'write')
    return mcp(await withBody(context.req.raw, settings))
  })
  if (page !== undefined) addPage(app, page)
  addAnnifRoutes(app, service, settings, version)
  addRoutes(app, service, settings)
  app.notFound(context => {
    return problemResponse(
      new HttpProblem(404, 'NO_ROUTE', `there is no ${context.req.method} ${context.req.path}`, { hint: 'See /docs.' }),
    )
  })
  app.onError(error => {
    const { code } = problemOf(error)
    metrics.problem(code)
    if (code === 'INTERNAL') onBug?.(error)
    return problemResponse(error)
  })
  return app
}

/** Checks the caller before every route, and records the time after it. */
function guard(app: Hono, settings: HttpSettings, metrics: Metrics): void {
  app.use(async (context, next) => {
    const begin = performance.now()
    metrics.begin()
    await next()
    metrics.end(context.req.routePath, context.res.status, (performance.now() - begin) / 1000)
  })
  app.use(async (context, next) => {
    // Sockets always have a Host header here; a Request made in a program need not.
    const host = context.req.header('host') ?? new URL(context.req.url).host
    checkHost(host, settings.hosts)
    const allowed = checkOrigin(context.req.header('origin'), host, settings.origins)
    const isAsking = allowed !== undefined && context.req.method === 'OPTIONS'
    if (isAsking) context.res = preflight()
    else await next()
    if (allowed !== undefined) {
      context.header('access-control-allow-origin', allowed)
      context.header('vary', 'Origin')
    }
    context.header('x-content-type-options', 'nosniff')
    context.header('referrer-policy', 'no-referrer')
  })
}

/** What a page from an allowed origin may send. */
function preflight(): Response {
  const headers = {
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  }
  return new Response(null, { status: 204, headers })
}

/** The same request with its body read, within the limits: the MCP library has none. */
async function withBody(request: Request, settings: HttpSettings): Promise<Request> {
  if (request.method === 'GET' || request.method === 'HEAD') return request
  const body = new Uint8Array(await readBody(request, settings))
  return new Request(request.url, { method: request.method, headers: request.headers, body })
}
