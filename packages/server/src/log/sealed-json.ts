// A small JSON file with a checksum of itself in front: `{"checksum":"…", …}`. The checksum covers the file's name too, so that one file
// cannot pass for another.

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { JsonObject } from '@vicinal/core'
import { damaged } from './log-error.ts'
import { openOwnFile } from './log-files.ts'

const sealedText = /^\{"checksum":"([0-9a-f]{16})",(.*)\n$/s
/** None of our files is this long. */
const maxBytes = 4096

export function sealJson(name: string, value: JsonObject): string {
  const rest = JSON.stringify(value).slice(1)
  return `{"checksum":"${checksum(name, rest)}",${rest}\n`
}

/** What was sealed under this name; undefined if it is damaged. */
export function unsealJson(name: string, text: string): JsonObject | undefined {
  const [, digits, rest] = sealedText.exec(text) ?? []
  if (rest === undefined || digits !== checksum(name, rest)) return undefined
  try {
    return JSON.parse(`{${rest}`) as JsonObject // what `sealJson` wrote is an object
  } catch {
    return undefined
  }
}

/** Reads a sealed file; undefined if there is none. */
export async function readSealed(folder: string, name: string): Promise<JsonObject | undefined> {
  const path = join(folder, name)
  const text = await readSmall(path)
  if (text === undefined) return undefined
  const value = unsealJson(name, text)
  if (!value) throw damaged(path, 'the file was changed or truncated: its checksum does not match')
  return value
}

/** One of our files as text, at most `maxBytes` of it, which none of them reaches. Undefined if there is no file. */
export async function readSmall(path: string): Promise<string | undefined> {
  try {
    const file = await openOwnFile(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Half of the digest is enough: a change is missed once in 2⁶⁴ times. */
function checksum(name: string, rest: string): string {
  return createHash('sha256').update(`${name}\n${rest}`).digest('hex').slice(0, 16)
}
