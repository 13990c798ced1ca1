// A record on disk: a checksum, then JSON. The checksum covers the record's name too, so that no record passes for another.

import { createHash } from 'node:crypto'

/** Of SHA-256: a change is missed once in 2⁶⁴ times. */
const checksumBytes = 8

export function seal(name: string | number, json: string): Buffer {
  const text = Buffer.from(json)
  return Buffer.concat([checksum(name, text), text])
}

/** The JSON that was sealed under this name; undefined where a byte is another. */
export function unseal(name: string | number, record: Uint8Array): string | undefined {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength)
  const text = bytes.subarray(checksumBytes)
  if (!checksum(name, text).equals(bytes.subarray(0, checksumBytes))) return undefined
  return text.toString()
}

function checksum(name: string | number, text: Buffer): Buffer {
  return createHash('sha256').update(`${name}\n`).update(text).digest().subarray(0, checksumBytes)
}
