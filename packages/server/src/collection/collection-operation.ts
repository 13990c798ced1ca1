// What the store of a collection logs: documents as they were stored, and ids that were removed, as JSON. Vectors travel as the 32-bit
// numbers that the collection was given, in base64.

import { EngineError, type Id, type JsonObject } from '@vicinal/core'
import type { Collection, CollectionChange, StoredDocument } from '@vicinal/core/collection'
import { fromBase64, toBase64 } from '../store/base64.ts'

type Operation =
  | { readonly do: 'upsert'; readonly document: StoredDocument; readonly vector?: string }
  | { readonly do: 'remove'; readonly id: Id }

export function changeToJson(change: CollectionChange): string {
  if (change.do === 'remove') return JSON.stringify(change)
  const { document, vector } = change
  return JSON.stringify({ do: 'upsert', document, ...(vector && { vector: toBase64(vector) }) })
}

/** Replays a change. */
export async function replayChange(collection: Collection<JsonObject>, json: string): Promise<void> {
  const operation = JSON.parse(json) as Operation // the collection checks what the checksum does not
  if (operation.do === 'remove') {
    collection.remove(operation.id)
    return
  }
  if (operation.do !== 'upsert') {
    throw new EngineError('BAD_DATA', `no operation is called ${(operation as { do: unknown }).do}`)
  }
  const { document, vector } = operation
  const whole = vector === undefined ? document : { ...document, vector: new Float32Array(fromBase64(vector)) }
  // The vector is in the log, so nothing is embedded again.
  await collection.upsert(whole, { embed: false })
}
