// The first bytes of a segment: what it is, its salt, and the sequence of its first record. Then a place for the mark: the frame that
// says which records were flushed. It is far from the last records, so that damage to one spares the other.

import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { headerBytes, readHeader } from './frame.ts'
import { damaged, tooNew } from './log-error.ts'

export const markAt = 48
export const headBytes: number = markAt + headerBytes
const magic = Buffer.from('vicinal log\n')
const formatAt = magic.length
const saltAt = 16
const saltBytes = 16
const firstAt = 32
const crcAt = 40
const format = 1

/**
 * The size of a segment is a multiple of this while it is written, and what is beyond its frames is zero. So a segment that was cut
 * anywhere else is known to be cut.
 */
export const sizeStep = 2 ** 16

/** A segment without records, as long as it has to be. */
export function newSegment(first: number): Buffer {
  const bytes = Buffer.alloc(sizeStep)
  bytes.set(magic)
  bytes.writeUInt32LE(format, formatAt)
  bytes.set(randomBytes(saltBytes), saltAt)
  bytes.writeBigUInt64LE(BigInt(first), firstAt)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, crcAt)), crcAt)
  return bytes
}

export interface SegmentHead {
  readonly salt: Buffer
  /** The sequence after the last record that was flushed for sure; undefined if nobody noted it. */
  readonly marked: number | undefined
}

/** Refuses what is not the head of the segment that begins with `first`. */
export function readHead(path: string, head: Buffer, first: number): SegmentHead {
  const whole = head.length === headBytes && head.subarray(0, magic.length).equals(magic)
  if (!whole || head.readUInt32LE(crcAt) !== crc32(head.subarray(0, crcAt))) {
    throw damaged(path, 'this is not a log, or its first bytes were changed')
  }
  const written = head.readUInt32LE(formatAt)
  if (written > format) throw tooNew(path, written, format)
  const sequence = head.readBigUInt64LE(firstAt)
  // The last bytes are unused.
  if (sequence !== BigInt(first) || head.readUInt32LE(crcAt + 4) !== 0) {
    throw damaged(path, `it begins with record ${sequence}, its name says ${first}`)
  }
  const salt = Buffer.from(head.subarray(saltAt, saltAt + saltBytes))
  const mark = readHeader(salt, head.subarray(markAt))
  return { salt, marked: mark?.kind === 'mark' ? mark.sequence : undefined }
}
