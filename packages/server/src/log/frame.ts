// A frame: what one write adds to a segment. A header of 32 bytes, with a checksum of its own, then the records of the frame, each
// with its length before it. The header's checksum begins with the segment's salt, so that neither bytes of another file nor the contents
// of a record can pass for a frame. The checksum of the records is a link: it also covers the link of the frame before. So all frames form
// a chain, through all segments, and none can be exchanged for that of another log or of an earlier state.
//   records  a group of records that were written, and are flushed, together
//   mark     in the head of a segment: everything before the record it names was flushed; has the link of the last frame
//   end      the segment is complete, another one follows; has that link too

import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const headerBytes = 32
const magic = Buffer.from('VLf\u001e')
const crcAt = 28
const linkAt = 20
export const linkBytes = 8
const lengthBytes = 4
/** Node writes less than 2 GiB at once. */
const maxFrameBytes = 2 ** 31 - 2 ** 10
/** The longest record that a frame holds. */
export const maxRecordBytes: number = maxFrameBytes - lengthBytes

const kinds = ['records', 'mark', 'end'] as const
export type FrameKind = (typeof kinds)[number]

export interface FrameHeader {
  readonly kind: FrameKind
  /** The sequence of its first record, or of the next one if it has none. */
  readonly sequence: number
  /** Bytes after the header. */
  readonly bytes: number
  /** The link of its records, or of the previous frame if it has none. */
  readonly link: Buffer
}

/** The frame of a group of records, which follows the frame with the link `before`, and its own link. */
export function recordsFrame(
  salt: Buffer,
  before: Buffer,
  sequence: number,
  records: readonly Uint8Array[],
): { frame: Buffer; link: Buffer } {
  const bytes = records.reduce((sum, record) => sum + lengthBytes + record.length, 0)
  const frame = Buffer.allocUnsafe(headerBytes + bytes)
  let at = headerBytes
  for (const record of records) {
    frame.writeUInt32LE(record.length, at)
    frame.set(record, at + lengthBytes)
    at += lengthBytes + record.length
  }
  const link = linkOf(before, frame.subarray(headerBytes))
  return { frame: fillHeader(frame, salt, 'records', sequence, link), link }
}

/** A frame without records, after the one with this link. */
export function emptyFrame(salt: Buffer, kind: 'mark' | 'end', sequence: number, link: Buffer): Buffer {
  return fillHeader(Buffer.allocUnsafe(headerBytes), salt, kind, sequence, link)
}

/** Undefined if these bytes are not a frame header of the segment with this salt. */
export function readHeader(salt: Buffer, bytes: Buffer): FrameHeader | undefined {
  if (bytes.length < headerBytes || bytes.compare(magic, 0, magic.length, 0, magic.length) !== 0) return undefined
  if (bytes.readUInt32LE(crcAt) !== headerCrc(salt, bytes)) return undefined
  const kind = kinds[bytes.readUInt32LE(4)]
  const sequence = Number(bytes.readBigUInt64LE(8))
  const length = bytes.readUInt32LE(16)
  const possible = kind === 'records' ? length <= maxFrameBytes : length === 0
  if (kind === undefined || !Number.isSafeInteger(sequence) || !possible) return undefined
  return { kind, sequence, bytes: length, link: bytes.subarray(linkAt, linkAt + linkBytes) }
}

/** The records that follow a header; undefined if they are damaged, or do not follow the frame with the link `before`. */
export function readRecords(before: Buffer, { link }: FrameHeader, payload: Buffer): Buffer[] | undefined {
  if (!linkOf(before, payload).equals(link)) return undefined
  const records: Buffer[] = []
  let at = 0
  while (at < payload.length) {
    const from = at + lengthBytes
    if (from > payload.length) return undefined
    const to = from + payload.readUInt32LE(at)
    if (to > payload.length) return undefined
    records.push(payload.subarray(from, to))
    at = to
  }
  return records
}

/** Where the next header begins in these bytes; −1 if there is none. */
export function findHeader(salt: Buffer, bytes: Buffer): number {
  let at = bytes.indexOf(magic)
  while (at >= 0 && !readHeader(salt, bytes.subarray(at, at + headerBytes))) at = bytes.indexOf(magic, at + 1)
  return at
}

function fillHeader(frame: Buffer, salt: Buffer, kind: FrameKind, sequence: number, link: Buffer): Buffer {
  frame.set(magic, 0)
  frame.writeUInt32LE(kinds.indexOf(kind), 4)
  frame.writeBigUInt64LE(BigInt(sequence), 8)
  frame.writeUInt32LE(frame.length - headerBytes, 16)
  frame.set(link, linkAt)
  frame.writeUInt32LE(headerCrc(salt, frame), crcAt)
  return frame
}

function headerCrc(salt: Buffer, header: Buffer): number {
  return crc32(header.subarray(0, crcAt), crc32(salt))
}

/** Of SHA-256: a change is missed once in 2⁶⁴ times. */
export function linkOf(before: Buffer, payload: Buffer): Buffer {
  return createHash('sha256').update(before).update(payload).digest().subarray(0, linkBytes)
}
