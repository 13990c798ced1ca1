// JSON that comes back as it went in: what JSON would lose in silence is refused.

import { EngineError } from '../errors.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [name: string]: Json
}

/** `what` names the value in messages. Fields that are undefined are left out, as if they were never there. */
export function toJson(what: string, value: JsonObject): string {
  try {
    return JSON.stringify(value, function (this: unknown, key, item) {
      return checkItem(what, key, item, this)
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
    hint: kind === 'Promise' ? 'Await it first.' : 'Arrays of numbers belong into tensors.',
  })
}

/** What an object with one of these tags is, its keys tell, or JSON.stringify unwraps it. */
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

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
