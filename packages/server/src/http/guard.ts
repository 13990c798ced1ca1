// Who may call: requests for a foreign host (DNS rebinding) or from a foreign origin are refused, and tokens are compared in constant time.

import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { Access } from '../service/operation.ts'
import { HttpProblem } from './problem.ts'

/** A secret and what its holder may do. */
export interface Token {
  readonly secret: string
  readonly access: Access
}

/** Addresses that stand for all addresses of this machine. */
const allAddresses = ['0.0.0.0', '::']

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/**
 * Refuses a Host header that is neither loopback nor one of `hosts`: it may come from a page whose domain was pointed at this address. If one
 * of `hosts` stands for all addresses, any address passes: a page on a domain has the domain in its requests, not an address.
 */
export function checkHost(host: string | undefined, hosts: readonly string[]): void {
  const name = host
    ?.toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
  if (name !== undefined && (isLoopback(name) || hosts.includes(name))) return
  if (name !== undefined && isIP(name) > 0 && hosts.some(one => allAddresses.includes(one))) return
  throw new HttpProblem(
    403,
    'FOREIGN_HOST',
    `the Host header is ${JSON.stringify(host ?? '')}, which is not served here`,
    {
      hint: 'Start the service with --allow-host and that name.',
    },
  )
}

/** Refuses pages of other origins, unless they are among `origins`. Returns the one to allow by CORS, if any. */
export function checkOrigin(
  origin: string | undefined,
  host: string | undefined,
  origins: readonly string[],
): string | undefined {
  if (origin === undefined) return undefined
  if (origins.includes(origin)) return origin
  if (host !== undefined && [`http://${host}`, `https://${host}`].includes(origin.toLowerCase())) return undefined
  throw new HttpProblem(403, 'FOREIGN_ORIGIN', `pages of ${JSON.stringify(origin)} may not call this service`, {
    hint: 'Start the service with --allow-origin and that origin.',
  })
}

/** Refuses a caller whose token is missing, unknown or not sufficient. If no tokens are set, everybody may do everything. */
export function checkToken(authorization: string | undefined, tokens: readonly Token[], access: Access): void {
  if (tokens.length === 0) return
  const given = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1]
  const held = given === undefined ? undefined : tokens.filter(({ secret }) => isSame(secret, given))
  if (!held || held.length === 0) {
    throw new HttpProblem(
      401,
      'UNAUTHORIZED',
      given === undefined ? 'this service needs a token' : 'the token is not known here',
      {
        hint: 'Send the header "Authorization: Bearer <token>".',
        headers: { 'www-authenticate': 'Bearer' },
      },
    )
  }
  if (access === 'write' && held.every(token => token.access === 'read')) {
    throw new HttpProblem(403, 'READ_ONLY', 'this token may read, but not change anything')
  }
}

/** Takes the same time for every wrong token: digests have equal length. */
function isSame(secret: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(secret), digest(given))
}
