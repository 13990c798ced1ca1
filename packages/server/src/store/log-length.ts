// Whether lmdb's file is as long as it says. lmdb maps the file into memory, and the system ends a process that reads a page which is
// not there; so a file that was cut off has to be found before it is opened.
// lmdb itself may leave its last pages unwritten where they are unused. The log therefore keeps its file longer than it needs to be,
// with a hole that takes no space: a file that is too short was cut.

import { open, stat, truncate } from 'node:fs/promises'
import { damaged } from './store-error.ts'

/** More than one commit can leave unwritten. */
const spareBytes = 2 ** 24

/** Where lmdb's two heads are: at the start of the first two pages. */
const headBytes = 160
const magicAt = 24
const magic = 0xbeefc0de
const pageBytesAt = 48
const lastPageAt = 144
const commitAt = 152

interface Head {
  readonly commit: bigint
  readonly pageBytes: number
  readonly bytes: number
}

/** Refuses a file that is no log, or shorter than it was. */
export async function checkLogLength(file: string): Promise<void> {
  const { size } = await stat(file)
  const bytes = await logBytes(file)
  if (size < bytes) throw damaged(file, `the log has ${size} bytes, it had ${bytes} or more`)
}

/** The bytes up to the end of the last page. */
export async function logBytes(file: string): Promise<number> {
  const head = await lastHead(file)
  if (!head) throw damaged(file, 'this is no log of a memory')
  return head.bytes
}

/** Makes the file longer where `bytes`, the end of its last page, come near its end. Only for who alone writes it. */
export async function keepLogLong(file: string, bytes: number): Promise<void> {
  const { size } = await stat(file)
  if (size < bytes + spareBytes / 2) await truncate(file, bytes + spareBytes)
}

/** The head of the last commit. */
async function lastHead(path: string): Promise<Head | undefined> {
  const file = await open(path)
  try {
    const read = async (position: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, position)
      return bytesRead === headBytes ? parseHead(buffer) : undefined
    }
    const first = await read(0)
    const second = first && (await read(first.pageBytes))
    return second && (second.commit > first.commit ? second : first)
  } finally {
    await file.close()
  }
}

function parseHead(bytes: Buffer): Head | undefined {
  if (bytes.readUInt32LE(magicAt) !== magic) return undefined
  const pageBytes = bytes.readUInt32LE(pageBytesAt)
  const pages = Number(bytes.readBigUInt64LE(lastPageAt)) + 1
  return { commit: bytes.readBigUInt64LE(commitAt), pageBytes, bytes: pages * pageBytes }
}
