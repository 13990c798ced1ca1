// The messages between the thread that answers requests and the thread that holds the engine.

import { EngineError, type ErrorCode, type Place } from '@vicinal/core'
import { BadJson, JsonBody } from '../input/json-body.ts'
import type { ServedKind } from '../served.ts'
import type { ServedName, ServiceOptions } from '../service.ts'

export type Request =
  | { readonly do: 'open'; readonly paths: readonly string[]; readonly options: ServiceOptions }
  | {
      readonly do: 'call'
      readonly number: number
      readonly kind: ServedKind
      readonly name: string
      readonly operation: string
      /** An object, or the bytes of one: see `sentInput`. */
      readonly input: unknown
      readonly fields?: Readonly<Record<string, string>>
    }
  | { readonly do: 'stop'; readonly number: number }
  | { readonly do: 'close' }

export type Reply =
  | { readonly do: 'opened'; readonly served: readonly ServedName[] }
  | { readonly do: 'not opened'; readonly failure: Failure }
  | { readonly do: 'answer'; readonly number: number; readonly answer: string }
  | { readonly do: 'fail'; readonly number: number; readonly failure: Failure }
  | { readonly do: 'closed'; readonly failure?: Failure }

/** An input as it travels: a body moves to the other thread, without a copy if nothing else is in its buffer. */
export function sentInput(input: unknown): { input: unknown; fields?: JsonBody['fields']; moved: ArrayBuffer[] } {
  if (!(input instanceof JsonBody)) return { input, moved: [] }
  const { bytes, fields } = input
  const isWhole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
  return { input: bytes, fields, moved: isWhole ? [bytes.buffer as ArrayBuffer] : [] } // just checked
}

/** What `sentInput` was given. */
export function receivedInput({ input, fields }: Pick<Request & { do: 'call' }, 'input' | 'fields'>): unknown {
  return fields ? new JsonBody(input as Uint8Array, fields) : input // only bodies have fields
}

/** An error as it travels: classes do not. */
export interface Failure {
  readonly code: ErrorCode
  /** For callers, instead of the code. */
  readonly problem?: string
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
  const problem = error instanceof BadJson ? { problem: error.problem } : {}
  return { code, ...problem, message, status, ...(hint !== undefined && { hint }), ...(where && { where }), ...shared }
}

/** The error that `failureOf` was given, as far as it matters here. */
export class RemoteError extends EngineError {
  readonly problem: string | undefined
  readonly #status: number
  readonly #where: Place | undefined

  constructor({ code, problem, message, status, hint, where, stack }: Failure) {
    super(code, message, hint === undefined ? {} : { hint })
    this.problem = problem
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
