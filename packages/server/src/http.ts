// The HTTP service: what `vicinal serve` runs. A separate entry point, so that stores can be used without it.

export { type AppOptions, createApp } from './http/app.ts'
export type { Token } from './http/guard.ts'
export { type ServeOptions, type Serving, serve, serveDefaults } from './http/serve.ts'
export { type HttpSettings, httpDefaults } from './http/settings.ts'
export { readTokens } from './http/token-file.ts'
export type { Access, Operation } from './service/operation.ts'
export { operations } from './service/operations.ts'
export type { ServedKind } from './service/served.ts'
export { type ServedName, Service, type ServiceCalls, type ServiceOptions } from './service/service.ts'
export { type OpenServiceOptions, openService } from './service/thread/open-service.ts'
export { runServiceThread } from './service/thread/run-thread.ts'
