// Every way we can fail, in one table: the code, the HTTP status a server answers with, the exit code a command ends with.
// Adapters translate by this table and by nothing else. Exit codes: 1 our bug, 2 wrong usage, 3 bad data, 4 file problem.

import type { WebSignal } from './web-types.ts'

/** Every error code, with its HTTP status and exit code. */
export const errorTable = Object.freeze({
  /** An option has a value that is not allowed. */
  INVALID_OPTION: { status: 400, exit: 2 },
  /** A name (method, format, metric, column, label …) that is not known; the message lists the known or nearest ones. */
  UNKNOWN_NAME: { status: 400, exit: 2 },
  /** Not possible here: an optional library is missing, or a browser has no file system. */
  UNSUPPORTED: { status: 501, exit: 2 },
  /** A file or row that is not what its format promises; `where` says where. */
  BAD_DATA: { status: 422, exit: 3 },
  /** A vector or matrix has the wrong size. */
  DIMENSION_MISMATCH: { status: 422, exit: 3 },
  /** Nothing to work on: no rows, no labels. */
  EMPTY_DATA: { status: 422, exit: 3 },
  /** There is not enough memory. */
  OUT_OF_MEMORY: { status: 507, exit: 3 },
  /** An index, classifier or memory was used after its `free()`. */
  FREED: { status: 500, exit: 2 },
  /** No such file. */
  FILE_NOT_FOUND: { status: 404, exit: 4 },
  /** The file is there, but cannot be read or written. */
  FILE_ACCESS: { status: 500, exit: 4 },
  /** The file exists, and you did not ask to overwrite it. */
  FILE_EXISTS: { status: 409, exit: 4 },
  /** The contents of the file match no known format. */
  UNKNOWN_FORMAT: { status: 415, exit: 4 },
  /** A model file that is truncated, changed or not a Vicinal file. */
  MODEL_DAMAGED: { status: 422, exit: 4 },
  /** A model file written by a newer version. */
  FORMAT_TOO_NEW: { status: 422, exit: 4 },
  /** Stopped by the caller's signal (Ctrl-C in the command). */
  ABORTED: { status: 499, exit: 130 },
  /** A function that you gave, such as `embed`, threw an error: that error is the `cause`. */
  CALLBACK_FAILED: { status: 502, exit: 3 },
  /** A worker thread ended unexpectedly, for example because the system ran out of memory. */
  WORKER_LOST: { status: 503, exit: 1 },
  /** Our bug. */
  INTERNAL: { status: 500, exit: 1 },
} as const)

/** The `code` of an `EngineError`, for programs to tell errors apart. */
export type ErrorCode = keyof typeof errorTable

/** A place in a file; lines and columns count from 1. */
export interface Place {
  readonly file: string
  readonly line?: number
  readonly column?: number
}

/** What an error can carry besides its code and message. */
export interface ErrorDetails {
  /** What to do next. */
  readonly hint?: string
  readonly where?: Place
  readonly cause?: unknown
}

/** The error class for everything Vicinal throws. `message` says what was given and what was allowed, `hint` what to do next. */
export class EngineError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly where: Place | undefined

  constructor(code: ErrorCode, message: string, given: ErrorDetails = {}) {
    const details = typeof given === 'object' && given !== null ? given : {}
    const prefix = details.where ? `${formatPlace(details.where)}: ` : ''
    super(
      prefix + (typeof message === 'string' ? message : shown(message)),
      details.cause === undefined ? undefined : { cause: details.cause },
    )
    this.name = 'EngineError'
    this.code = code
    this.hint = details.hint
    this.where = details.where
  }

  get status(): number {
    return errorTable[this.code].status
  }

  get exitCode(): number {
    return errorTable[this.code].exit
  }
}

function formatPlace({ file, line, column }: Place): string {
  return [file, line, column].filter(part => part !== undefined).join(':')
}

/** A name that is not known, as messages show it: callers may give anything for one. */
export function quoted(name: unknown): string {
  return typeof name === 'string' ? `"${name}"` : shown(name)
}

/** A value as messages show it: short, and safe for whatever callers may give, symbols and hostile objects included. */
export function shown(value: unknown): string {
  try {
    return shownAs(value)
  } catch {
    return 'an object' // a Proxy or a getter of the caller's has thrown
  }
}

function shownAs(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 60 ? `${value.slice(0, 60)}…` : value}'`
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1)
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return shownList(value, tag)
  return tag === 'Object' ? 'an object' : `a ${tag}`
}

function shownList(list: readonly unknown[] | ArrayBufferView, tag: string): string {
  const length = 'length' in list ? ` of length ${list.length}` : ''
  if (Array.isArray(list) && list.length <= 8 && list.every(item => typeof item === 'number'))
    return `[${list.join(', ')}]`
  return tag === 'Array' ? `an array${length}` : `a ${tag}${length}`
}

/** For our own bugs only: callers' input gets an EngineError that says what to do. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new EngineError('INTERNAL', message, { hint: 'This is a bug in Vicinal. Please report it.' })
}

export function abortedError({ reason }: WebSignal): EngineError {
  return new EngineError('ABORTED', 'stopped before the work was done', { cause: reason })
}

/** Throws ABORTED when the caller's signal has fired. */
export function throwIfAborted(signal: WebSignal | undefined): void {
  if (signal?.aborted) throw abortedError(signal)
}
