// The limits and permissions of an HTTP service.

import { type Check, checkTexts, checkWhole, refuse } from '@vicinal/core/internals'
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

/** Timers count in 32 bits. */
const longestTimer = 2 ** 31 - 1

const checkCount: Check = (name, value) => checkWhole(name, value, 1, Number.MAX_SAFE_INTEGER)

export const httpChecks: Readonly<Record<keyof HttpSettings, Check>> = {
  ...{ bodyBytes: checkCount, waiting: checkCount, hosts: checkTexts, origins: checkTexts, tokens: checkTokens },
  timeoutMs: (name, value) => checkWhole(name, value, 1, longestTimer),
}

function checkTokens(name: string, tokens: unknown): void {
  if (!Array.isArray(tokens)) refuse(name, tokens, 'a list of tokens')
  for (const [i, token] of tokens.entries()) if (!isToken(token)) refuse(`${name}[${i}]`, token, tokenForm)
}

const tokenForm = "a token such as { secret: '…', access: 'read' }, or 'write'"

function isToken(token: Partial<Token> | null | undefined): boolean {
  return typeof token?.secret === 'string' && token.secret !== '' && /^(read|write)$/.test(String(token.access))
}
