// The HTTP service as a function from requests to answers: guards, routes, errors. It needs no socket, so tests call it directly.

import { Hono } from 'hono'
import { mcpHandler } from '../mcp/mcp-server.ts'
import type { ToolSettings } from '../mcp/tools.ts'
import type { ServiceCalls } from '../service/service.ts'
import { addAnnifRoutes } from './annif.ts'
import { checkLength } from './body.ts'
import { docsPage } from './docs-page.ts'
import { checkHost, checkOrigin, checkToken } from './guard.ts'
import { Metrics } from './metrics.ts'
import { openApiDocument } from './openapi.ts'
import { predictStream } from './predict-stream.ts'
import { HttpProblem, problemOf, problemResponse } from './problem.ts'
import { addRoutes } from './routes.ts'
import { type HttpSettings, httpDefaults } from './settings.ts'

export interface AppOptions extends Partial<HttpSettings>, ToolSettings {
  /** Shown in the OpenAPI document. */
  readonly version?: string
  /** Hears of errors that are bugs of ours. */
  readonly onBug?: (error: unknown) => void
}

export function createApp(
  service: ServiceCalls,
  { version = '0.0.0', onBug, namespace, ...given }: AppOptions = {},
): Hono {
  const settings: HttpSettings = { ...httpDefaults, ...given }
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
    return context.json({ served: service.served })
  })
  app.post('/v1/models/:name/predict-stream', context => {
    mayRead(context.req.header('authorization'))
    return predictStream(context, service, context.req.param('name'), settings)
  })
  const mcp = mcpHandler(service, { version, ...(namespace !== undefined && { namespace }) })
  app.all('/mcp', context => {
    // Its tools change things, and who calls cannot be told which.
    checkToken(context.req.header('authorization'), settings.tokens, 'write')
    checkLength(context.req.header('content-length'), settings)
    return mcp(context.req.raw)
  })
  addAnnifRoutes(app, service, settings)
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

/** Before every route: who asks, and from where; after it: what it took. */
function guard(app: Hono, settings: HttpSettings, metrics: Metrics): void {
  app.use(async (context, next) => {
    const begin = performance.now()
    metrics.begin()
    await next()
    metrics.end(context.req.routePath, context.res.status, (performance.now() - begin) / 1000)
  })
  app.use(async (context, next) => {
    const host = context.req.header('host')
    checkHost(host, settings.hosts)
    const allowed = checkOrigin(context.req.header('origin'), host, settings.origins)
    if (allowed !== undefined) {
      context.header('access-control-allow-origin', allowed)
      context.header('vary', 'Origin')
      if (context.req.method === 'OPTIONS') {
        context.header('access-control-allow-headers', 'authorization, content-type')
        context.header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
        return context.body(null, 204)
      }
    }
    await next()
    context.header('x-content-type-options', 'nosniff')
    context.header('referrer-policy', 'no-referrer')
    return undefined
  })
}
