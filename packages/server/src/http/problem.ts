// Errors as problem+json (RFC 9457). Errors of the engine are translated by its table; those of HTTP itself are here.

import { EngineError } from '@vicinal/core'
import { BadJson } from '../service/input/json-body.ts'
import { RemoteError } from '../service/thread/messages.ts'

/** What is wrong with a request before the engine sees it. */
export class HttpProblem extends Error {
  readonly status: number
  readonly code: string
  readonly hint: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    more: { hint?: string; headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.hint = more.hint
    this.headers = more.headers ?? {}
  }
}

/** The body of an error. */
export interface Problem {
  /** 'urn:vicinal:BAD_DATA'. */
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly hint?: string
}

export function problemOf(error: unknown): Problem {
  const { status, code, message, hint } = known(error)
  return {
    ...{ type: `urn:vicinal:${code}`, title: titles[code] ?? code.toLowerCase().replaceAll('_', ' ') },
    ...{ status, detail: message, code },
    ...(hint !== undefined && { hint }),
  }
}

export function problemResponse(error: unknown): Response {
  const problem = problemOf(error)
  const headers = error instanceof HttpProblem ? error.headers : {}
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })
}

const titles: Readonly<Record<string, string>> = {
  INVALID_OPTION: 'A value is not allowed',
  UNKNOWN_NAME: 'Unknown name',
  BAD_DATA: 'The data is not as expected',
  INTERNAL: 'A bug in Vicinal',
}

interface Known {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly hint: string | undefined
}

/** Messages of other errors are not shown to callers: they may contain anything. */
function known(error: unknown): Known {
  if (error instanceof HttpProblem) return error
  if (error instanceof BadJson || (error instanceof RemoteError && error.problem !== undefined)) {
    const { status, problem, message, hint } = error
    return { status, code: problem ?? error.code, message, hint }
  }
  if (error instanceof EngineError && error.code !== 'INTERNAL') {
    const { code, message, hint } = error
    // What is served cannot do it: the call is wrong, not the service.
    return { status: code === 'UNSUPPORTED' ? 422 : error.status, code, message, hint }
  }
  return {
    status: 500,
    code: 'INTERNAL',
    message: 'the service failed on this request',
    hint: 'See the log of the service.',
  }
}
