// An operation as JSON, and back to the bit. Vectors travel as the 32-bit numbers that a memory makes of them, in base64.

import { EngineError } from '@vicinal/core'
import type { MemoryKey, SparseKey } from '@vicinal/core/memory'
import { fromBase64, toBase64 } from './base64.ts'
import type { Operation } from './operation.ts'

/** A text as it is, or { dense }, { text, dense } or { indices, values }. */
type StoredKey =
  | string
  | { readonly text?: string; readonly dense: string }
  | { readonly indices: string; readonly values: string }

const kinds: readonly unknown[] = [
  'insert',
  'upsert',
  'change',
  'update',
  'learn',
  'remove',
] satisfies Operation['do'][]

export function operationToJson(operation: Operation): string {
  if (operation.do === 'remove' || operation.do === 'change') return JSON.stringify(operation)
  return JSON.stringify({ ...operation, key: packKey(operation.key) })
}

/** Throws if the text is not an operation. */
export function operationFromJson(json: string): Operation {
  const parsed = JSON.parse(json) as Operation & { key?: StoredKey } // the memory checks what the checksum does not
  if (!kinds.includes(parsed.do)) throw new EngineError('BAD_DATA', `unknown operation ${parsed.do}`)
  return parsed.key === undefined ? parsed : ({ ...parsed, key: unpackKey(parsed.key) } as Operation) // as above
}

function packKey(key: MemoryKey): StoredKey {
  if (typeof key === 'string') return key
  if ('vector' in key) return { text: key.text, dense: toBase64(Float32Array.from(key.vector)) }
  if (!isSparse(key)) return { dense: toBase64(Float32Array.from(key)) }
  return { indices: toBase64(Uint32Array.from(key.indices)), values: toBase64(Float32Array.from(key.values)) }
}

function unpackKey(key: StoredKey): MemoryKey {
  if (typeof key === 'string') return key
  if ('dense' in key) {
    const vector = new Float32Array(fromBase64(key.dense))
    return key.text === undefined ? vector : { text: key.text, vector }
  }
  return { indices: new Uint32Array(fromBase64(key.indices)), values: new Float32Array(fromBase64(key.values)) }
}

function isSparse(key: SparseKey | ArrayLike<number>): key is SparseKey {
  return 'indices' in key
}
