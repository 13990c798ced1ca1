// Listens on an address: a service with a socket, and a graceful end.

import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { EngineError } from '@vicinal/core'
import { Service, type ServiceCalls } from '../service/service.ts'
import { ServiceThread } from '../service/thread/service-thread.ts'
import { type AppOptions, createApp } from './app.ts'
import { isLoopback } from './guard.ts'

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
}

/** A service that listens. */
export interface Serving {
  readonly url: string
  readonly service: ServiceCalls
  /** Resolves when the engine's thread has ended by itself, to the reason. */
  readonly lost: Promise<EngineError>
  /** Finishes the requests that were accepted, then closes everything. */
  close(): Promise<void>
}

export const serveDefaults = Object.freeze({ host: '127.0.0.1', port: 4747 })

/** Opens models, indexes, collections and memories by their paths, and answers HTTP requests about them. */
export async function serve(paths: readonly string[], options: ServeOptions = {}): Promise<Serving> {
  const { host = serveDefaults.host, port = serveDefaults.port, open = false, thread, ...given } = options
  checkExposure(host, given.tokens ?? [], open)
  const service = thread ? await ServiceThread.open(thread, paths) : await Service.open(paths)
  const app = createApp(service, { ...given, hosts: [...(given.hosts ?? []), host.toLowerCase()] })
  const server = createServer(getRequestListener(app.fetch))
  server.headersTimeout = 10_000
  try {
    await listen(server, host, port)
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
      closing ??= close(server, service)
      return closing
    },
  }
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
      hint: 'Give tokens (--token-file), or say that this is wanted (--open).',
    },
  )
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

/** Connections that wait for their next request are closed; those with a request get their answer first. */
async function close(server: Server, service: ServiceCalls): Promise<void> {
  const ended = new Promise(resolve => server.close(resolve))
  server.closeIdleConnections()
  await ended
  await service.close()
}

function urlOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
