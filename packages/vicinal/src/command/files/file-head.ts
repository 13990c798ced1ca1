// Reads the beginning of a file, gunzipped if it is compressed, to tell data from models and to recognize formats.

import { open, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, gunzip } from 'node:zlib'

const headBytes = 2 ** 16
const modelStart = '{"__metadata__"'

/** The first 64 kB; undefined if there is no file, or if it cannot be read twice (a pipe). */
export async function readHead(path: string): Promise<Uint8Array | undefined> {
  const facts = await stat(path).catch(() => undefined) // the reader will say what is wrong
  if (!facts?.isFile()) return undefined
  const file = await open(path).catch(() => undefined)
  try {
    const head = new Uint8Array(headBytes)
    const { bytesRead = 0 } = (await file?.read(head, 0, headBytes, 0)) ?? {}
    return await gunzipStart(head.subarray(0, bytesRead))
  } finally {
    await file?.close()
  }
}

/** Whether this is how a model file begins: the header's length in eight bytes, then JSON. */
export function beginsLikeModel(head: Uint8Array): boolean {
  return new TextDecoder().decode(head.subarray(8, 8 + modelStart.length)) === modelStart
}

async function gunzipStart(head: Uint8Array): Promise<Uint8Array | undefined> {
  if (head[0] !== 0x1f || head[1] !== 0x8b) return head
  // The stream is cut off here on purpose.
  const whole = await promisify(gunzip)(head, { finishFlush: constants.Z_SYNC_FLUSH }).catch(() => undefined)
  return whole?.subarray(0, headBytes)
}
