// The first bytes of a segment: what it is, its salt, the sequence of its first record, and the link of the segment before. Then two places
// for marks: the frames that say which records were flushed. They are written in turn, so that there is always a whole one, and lie in
// sectors of their own, so that damage to a mark spares everything else.

import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { headerBytes, linkBytes, linkOf, readHeader } from './frame.ts'
import { damaged, tooNew, tooOld } from './log-error.ts'

const sectorBytes = 512
export const markPlaces: readonly number[] = [sectorBytes, 2 * sectorBytes]
export const headBytes: number = 3 * sectorBytes
const magic = Buffer.from('vicinal log\n')
const formatAt = magic.length
const saltAt = 16
const saltBytes = 16
const firstAt = 32
const beforeAt = 40
const crcAt = beforeAt + linkBytes
const format = 2

/**
 * The size of a segment is a multiple of this while it is written, and what is beyond its frames is zero. So a segment that was cut
 * anywhere else is known to be cut.
 */
export const sizeStep = 2 ** 16

/** The link before the first record of a new log: random, so that it fits no other. */
export function firstLink(): Buffer {
  return randomBytes(linkBytes)
}

/** A segment without records, as long as it has to be. `before` is the link of the last frame before it. */
export function newSegment(first: number, before: Buffer): Buffer {
  const bytes = Buffer.alloc(sizeStep)
  bytes.set(magic)
  bytes.writeUInt32LE(format, formatAt)
  bytes.set(randomBytes(saltBytes), saltAt)
  bytes.writeBigUInt64LE(BigInt(first), firstAt)
  bytes.set(before, beforeAt)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, crcAt)), crcAt)
  return bytes
}

/** Everything before the record `sequence` was flushed, and `link` is that of the last frame. */
export interface Mark {
  readonly sequence: number
  readonly link: Buffer
}

export interface SegmentHead {
  readonly salt: Buffer
  /** The link of the last frame before the segment. */
  readonly before: Buffer
  /** What the first frame follows. */
  readonly link: Buffer
  /** Those that are whole. */
  readonly marks: readonly Mark[]
}

/** Refuses anything that is not the head of the segment that begins with `first`. */
export function readHead(path: string, head: Buffer, first: number): SegmentHead {
  const isLog = head.length === headBytes && head.subarray(0, magic.length).equals(magic)
  if (isLog && head.readUInt32LE(40) === crc32(head.subarray(0, 40)) && head.readUInt32LE(formatAt) < format) {
    throw tooOld(path)
  }
  if (!isLog || head.readUInt32LE(crcAt) !== crc32(head.subarray(0, crcAt)) || !isBlank(head)) {
    throw damaged(path, 'this is not a log, or its first bytes were changed')
  }
  const written = head.readUInt32LE(formatAt)
  if (written > format) throw tooNew(path, written, format)
  const sequence = head.readBigUInt64LE(firstAt)
  if (sequence !== BigInt(first)) throw damaged(path, `it begins with record ${sequence}, its name says ${first}`)
  const own = Buffer.from(head.subarray(0, crcAt))
  const salt = own.subarray(saltAt, saltAt + saltBytes)
  return { salt, before: own.subarray(beforeAt), link: linkOf(Buffer.alloc(0), own), marks: readMarks(salt, head) }
}

/** Whether the unused bytes are zero. */
function isBlank(head: Buffer): boolean {
  const starts = [crcAt + 4, ...markPlaces.map(at => at + headerBytes)]
  const ends = [...markPlaces, headBytes]
  return starts.every((start, i) => head.subarray(start, ends[i]).every(byte => byte === 0))
}

/** Ignores a half-written mark: the other one is whole. */
function readMarks(salt: Buffer, head: Buffer): Mark[] {
  return markPlaces.flatMap(at => {
    const mark = readHeader(salt, head.subarray(at, at + headerBytes))
    return mark?.kind === 'mark' ? [{ sequence: mark.sequence, link: Buffer.from(mark.link) }] : []
  })
}
