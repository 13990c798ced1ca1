// Listens on an address: a service with a socket, and a graceful end.

import { createServer, type RequestListener, type Server } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { EngineError } from '@vicinal/core'
import { checkBoolean, checkOptions, checkText, checkWhole, optionTable } from '@vicinal/core/internals'
import type { Hono } from 'hono'
import type { ServiceCalls } from '../service/service.ts'
import { openService, openServiceChecks } from '../service/thread/open-service.ts'
import { ServiceThread } from '../service/thread/service-thread.ts'
import { type AppOptions, appChecks, createApp } from './app.ts'
import { isLoopback } from './guard.ts'
import { InFlight } from './in-flight.ts'
import { HttpProblem, problemResponse } from './problem.ts'
import { answerRefused } from './refused-connections.ts'
import { httpDefaults } from './settings.ts'

/** Options of `serve`. */
export interface ServeOptions extends AppOptions {
  /** The address to listen on. Default 127.0.0.1: this machine only. */
  readonly host?: string
  /** Default 4747; 0 for any that is free. */
  readonly port?: number
  /** Whether an address that other machines reach may be served without tokens. Default false. */
  readonly open?: boolean
  /** A script that calls `runServiceThread`, to run the engine in a thread of its own. Default: in this thread. */
  readonly thread?: URL
  /** Files of labeled items to measure models on: see `Service.open`. */
  readonly tests?: readonly string[]
  /** Whether to try the next ports if something else listens on this one. Default false. */
  readonly nextPort?: boolean
  /** Stops the opening of files. Later it does nothing: call `close`. */
  readonly signal?: AbortSignal | undefined
}

/** A service that listens. */
export interface Serving {
  readonly url: string
  readonly service: ServiceCalls
  /** Resolves to the reason if the engine's thread ends by itself. */
  readonly lost: Promise<EngineError>
  /** Finishes accepted requests, then closes everything. */
  close(): Promise<void>
}

export const serveDefaults = Object.freeze({ host: '127.0.0.1', port: 4747 })

const serveOptions = optionTable<ServeOptions>({
  ...appChecks,
  ...openServiceChecks,
  ...{ host: checkText, open: checkBoolean, nextPort: checkBoolean },
  port: (name, value) => checkWhole(name, value, 0, 65_535),
})

/** How long the head of a request may take. */
const headMillis = 10_000
/** How long requests that were accepted may take after `close`. */
const graceMillis = 8000

/** Opens models, indexes, collections and memories by their paths, and answers HTTP requests about them. */
export async function serve(paths: readonly string[], options: ServeOptions = {}): Promise<Serving> {
  checkOptions(options, serveOptions)
  const {
    host = serveDefaults.host,
    port = serveDefaults.port,
    open = false,
    thread,
    tests,
    nextPort,
    signal,
    ...given
  } = options
  checkExposure(host, given.tokens ?? [], open)
  const service = await openService(paths, { ...(tests && { tests }), ...(thread && { thread }), signal })
  const inFlight = new InFlight()
  let server: Server
  try {
    const app = createApp(service, { ...given, hosts: [...(given.hosts ?? []), host.toLowerCase()] })
    server = serverOf(app, inFlight, given)
    await listenNear(server, host, port, nextPort ? portsTried : 1)
  } catch (error) {
    await service.close()
    throw error
  }
  let closing: Promise<void> | undefined
  return {
    url: urlOf(server, host),
    service,
    lost: service instanceof ServiceThread ? service.ended.then(lost => lost ?? never()) : never(),
    close() {
      closing ??= close(server, inFlight, service)
      return closing
    },
  }
}

function serverOf(app: Hono, inFlight: InFlight, { timeoutMs = httpDefaults.timeoutMs, onBug }: AppOptions): Server {
  const listener: RequestListener = getRequestListener(app.fetch, { errorHandler: error => failed(error, onBug) })
  const options = {
    headersTimeout: Math.min(headMillis, timeoutMs),
    connectionsCheckingInterval: Math.min(1000, timeoutMs),
    requestTimeout: 0, // how long a body may take is checked where it is read: streams may be long
    requireHostHeader: false, // checked with all others
  }
  const server = createServer(options, (incoming, outgoing) => {
    inFlight.add(outgoing)
    return listener(incoming, outgoing)
  })
  answerRefused(server)
  return server
}

/** Errors outside of routes: invalid requests, or bugs of ours. */
function failed(error: unknown, onBug: AppOptions['onBug']): Response {
  if (error instanceof RequestError) return problemResponse(new HttpProblem(400, 'BAD_HTTP', error.message))
  onBug?.(error)
  return problemResponse(error)
}

function never<T>(): Promise<T> {
  return new Promise(() => {})
}

function checkExposure(host: string, tokens: readonly unknown[], open: boolean): void {
  if (isLoopback(host) || tokens.length > 0 || open) return
  throw new EngineError(
    'INVALID_OPTION',
    `other machines reach ${host}, and no token is set: anybody could read and change everything`,
    {
      hint: 'Give tokens (--token-file), or allow it explicitly (--open).',
    },
  )
}

/** Enough to find a free one on a machine where somebody tries things out. */
const portsTried = 20

/** Listens on the port, or on the first of the next ones that is free. */
async function listenNear(server: Server, host: string, port: number, tries: number): Promise<void> {
  for (let tried = 0; ; tried++) {
    try {
      return await listen(server, host, port + tried)
    } catch (error) {
      const isTaken = (error as { cause?: NodeJS.ErrnoException }).cause?.code === 'EADDRINUSE'
      if (!isTaken || tried + 1 >= tries || port + tried === 65_535) throw error
    }
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'something else is listening there' : cause.message
      reject(
        new EngineError('FILE_ACCESS', `cannot listen on ${host}:${port}: ${reason}`, {
          cause,
          hint: 'Choose another --port.',
        }),
      )
    })
    server.listen(port, host, resolve)
  })
}

/** Requests that were accepted get their answers; connections without one are closed. */
async function close(server: Server, inFlight: InFlight, service: ServiceCalls): Promise<void> {
  const ended = new Promise(resolve => server.close(resolve))
  await inFlight.drain(graceMillis)
  server.closeAllConnections()
  await ended
  await service.close()
}

function urlOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host // no browser opens the address of all addresses
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}
