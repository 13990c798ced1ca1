// Opens a service where the engine is to run: in a thread of its own, or in this one.

import { Service, type ServiceCalls, type ServiceOptions } from '../service.ts'
import { ServiceThread } from './service-thread.ts'

/** Options of `openService`. */
export interface OpenServiceOptions extends ServiceOptions {
  /** A script that calls `runServiceThread`. Default: none, and the engine runs in this thread. */
  readonly thread?: URL
}

/** Opens models, indexes, collections and memories by their paths, for an adapter such as `serveMcp`. */
export function openService(
  paths: readonly string[],
  { thread, ...options }: OpenServiceOptions = {},
): Promise<ServiceCalls> {
  return thread ? ServiceThread.open(thread, paths, options) : Service.open(paths, options)
}
