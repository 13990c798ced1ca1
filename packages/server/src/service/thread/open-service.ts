// Opens a service where the engine is to run: in a thread of its own, or in this one.

import { type Check, checkOptions, optionTable, refuse } from '@vicinal/core/internals'
import { Service, type ServiceCalls, type ServiceOptions, serviceChecks } from '../service.ts'
import { ServiceThread } from './service-thread.ts'

/** Options of `openService`. */
export interface OpenServiceOptions extends ServiceOptions {
  /** A script that calls `runServiceThread`. Default: none, and the engine runs in this thread. */
  readonly thread?: URL
}

export const openServiceChecks: Readonly<Record<keyof OpenServiceOptions, Check>> = {
  ...serviceChecks,
  thread: (name, value) => {
    if (!(value instanceof URL)) refuse(name, value, 'the URL of a script')
  },
}
const openServiceOptions = optionTable<OpenServiceOptions>(openServiceChecks)

/** Opens models, indexes, collections and memories by their paths, for an adapter such as `serveMcp`. */
export async function openService(paths: readonly string[], options: OpenServiceOptions = {}): Promise<ServiceCalls> {
  checkOptions(options, openServiceOptions)
  const { thread, ...others } = options
  return thread ? ServiceThread.open(thread, paths, others) : Service.open(paths, others)
}
