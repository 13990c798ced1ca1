// What the thread that answers requests and the thread that holds the engine say to each other.

import { EngineError, type ErrorCode, type Place } from '@vicinal/core'
import type { ServedKind } from '../served.ts'
import type { ServedName } from '../service.ts'

export type Request =
  | { readonly do: 'open'; readonly paths: readonly string[] }
  | {
      readonly do: 'call'
      readonly number: number
      readonly kind: ServedKind
      readonly name: string
      readonly operation: string
      readonly input: unknown
    }
  | { readonly do: 'stop'; readonly number: number }
  | { readonly do: 'close' }

export type Reply =
  | { readonly do: 'opened'; readonly served: readonly ServedName[] }
  | { readonly do: 'not opened'; readonly failure: Failure }
  | { readonly do: 'answer'; readonly number: number; readonly answer: string }
  | { readonly do: 'fail'; readonly number: number; readonly failure: Failure }
  | { readonly do: 'closed'; readonly failure?: Failure }

/** An error as it travels: classes do not. */
export interface Failure {
  readonly code: ErrorCode
  /** Without the place, which comes apart. */
  readonly message: string
  readonly status: number
  readonly hint?: string
  readonly where?: Place
  readonly stack?: string
}

export function failureOf(error: unknown): Failure {
  const { stack } = error instanceof Error ? error : { stack: undefined }
  const shared = stack === undefined ? {} : { stack }
  if (!(error instanceof EngineError)) return { code: 'INTERNAL', message: String(error), status: 500, ...shared }
  const { code, message, status, hint, where } = error
  return { code, message, status, ...(hint !== undefined && { hint }), ...(where && { where }), ...shared }
}

/** The error that `failureOf` was given, as far as it matters here. */
export class RemoteError extends EngineError {
  readonly #status: number
  readonly #where: Place | undefined

  constructor({ code, message, status, hint, where, stack }: Failure) {
    super(code, message, hint === undefined ? {} : { hint })
    this.#status = status
    this.#where = where
    if (stack !== undefined) this.stack = stack
  }

  override get status(): number {
    return this.#status
  }

  get place(): Place | undefined {
    return this.#where
  }
}
