// What an HTTP service allows, and to whom.

import type { BodyLimits } from './body.ts'
import type { Token } from './guard.ts'

export interface HttpSettings extends BodyLimits {
  /** How many calls may wait for the engine. */
  readonly waiting: number
  /** Without any, everybody may do everything. */
  readonly tokens: readonly Token[]
  /** Names that the Host header may have, besides those of this machine itself. */
  readonly hosts: readonly string[]
  /** Origins whose pages may call, besides the service's own. */
  readonly origins: readonly string[]
}

export const httpDefaults: HttpSettings = Object.freeze({
  bodyBytes: 16 * 2 ** 20,
  timeoutMs: 30_000,
  waiting: 1000,
  tokens: Object.freeze([]),
  hosts: Object.freeze([]),
  origins: Object.freeze([]),
})
