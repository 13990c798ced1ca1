// JSON that round-trips: values that JSON would silently lose are refused, and so is deep nesting.
// The depth is limited by number, not by the stack: a thread with a large stack must not store what others cannot read.

import { EngineError } from '../errors.ts'

/** How deep lists and objects in a stored value may be nested. */
export const maxJsonDepth = 200

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json
}

/** `what` names the value in messages. Fields that are undefined are left out, as if they were never there. */
export function toJson(what: string, value: JsonObject): string {
  // The objects that are being written, outermost first.
  const open: unknown[] = []
  try {
    return JSON.stringify(value, function (this: unknown, key, item) {
      while (open.length > 0 && open.at(-1) !== this) open.pop()
      const checked = checkItem(what, key, item, this)
      if (typeof checked === 'object' && checked !== null && open.push(checked) > maxJsonDepth + 1) throw tooDeep(what)
      return checked
    })
  } catch (error) {
    if (error instanceof EngineError) throw error
    throw new EngineError('INVALID_OPTION', `${what} cannot be written as JSON: ${error}`, { cause: error })
  }
}

function checkItem(what: string, key: string, item: unknown, holder: unknown): unknown {
  const bad =
    (typeof item === 'number' && !Number.isFinite(item)) ||
    ['bigint', 'function', 'symbol'].includes(typeof item) ||
    (item === undefined && Array.isArray(holder)) ||
    ArrayBuffer.isView(item) ||
    item instanceof Map ||
    item instanceof Set ||
    isHollow(item)
  if (!bad) return item
  const kind = typeof item === 'number' ? item : tagOf(item)
  throw new EngineError('INVALID_OPTION', `${what}: "${key}" is ${kind}, which JSON cannot hold`, {
    hint: kind === 'Promise' ? 'Await it first.' : hintFor(item),
  })
}

function hintFor(item: unknown): string {
  if (ArrayBuffer.isView(item)) return 'Put arrays of numbers into tensors.'
  return 'Give null, booleans, finite numbers, texts, and lists and objects of these.'
}

/** JSON.stringify writes objects with these tags by their keys, or unwraps them. */
const plainTags = ['Object', 'Array', 'Number', 'String', 'Boolean']

/** Whether JSON would write {} for an object that is something else: a promise, a buffer, an error. */
function isHollow(item: unknown): boolean {
  if (typeof item !== 'object' || item === null) return false
  return Object.keys(item).length === 0 && !plainTags.includes(tagOf(item))
}

/** Tells objects of other realms too, where instanceof does not. */
function tagOf(item: unknown): string {
  return Object.prototype.toString.call(item).slice('[object '.length, -1)
}

/** What `toJson` wrote; throws if the text is not JSON, or nested deeper than `toJson` writes. */
export function parseJson(what: string, text: string): Json {
  const value = JSON.parse(text) as Json // whatever is parsed is JSON
  // Level by level: recursion could overflow the stack.
  let level: readonly Json[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxJsonDepth) throw tooDeep(what)
    level = level.flatMap(item => (typeof item === 'object' && item !== null ? containersIn(item) : []))
  }
  return value
}

function containersIn(item: readonly Json[] | JsonObject): Json[] {
  return Object.values(item).filter(part => typeof part === 'object' && part !== null)
}

function tooDeep(what: string): EngineError {
  return new EngineError('INVALID_OPTION', `${what} is nested more than ${maxJsonDepth} deep`, {
    hint: 'Flatten it, or keep the deep part as a text.',
  })
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
