// A frame: what one write adds to a segment. A header of 32 bytes, with a checksum of its own, then the records of the frame, each
// with its length before it. All checksums begin with the segment's salt, so that neither bytes of another file nor the contents of a
// record can pass for a frame.
//   records  a group of records that were written, and are flushed, together
//   mark     in the head of a segment: everything before the record it names was flushed
//   end      the segment is complete, another goes on

import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const headerBytes = 32
const magic = Buffer.from('VLf\u001e')
const crcAt = 28
const checksumAt = 20
const checksumBytes = 8
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
  /** Of what follows the header. */
  readonly bytes: number
  readonly checksum: Buffer
}

/** The frame of a group of records. */
export function recordsFrame(salt: Buffer, sequence: number, records: readonly Uint8Array[]): Buffer {
  const bytes = records.reduce((sum, record) => sum + lengthBytes + record.length, 0)
  const frame = Buffer.allocUnsafe(headerBytes + bytes)
  let at = headerBytes
  for (const record of records) {
    frame.writeUInt32LE(record.length, at)
    frame.set(record, at + lengthBytes)
    at += lengthBytes + record.length
  }
  return fillHeader(frame, salt, 'records', sequence)
}

/** A frame without records. */
export function emptyFrame(salt: Buffer, kind: 'mark' | 'end', sequence: number): Buffer {
  return fillHeader(Buffer.allocUnsafe(headerBytes), salt, kind, sequence)
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
  return { kind, sequence, bytes: length, checksum: bytes.subarray(checksumAt, checksumAt + checksumBytes) }
}

/** The records that follow a header; undefined if they are damaged. */
export function readRecords(salt: Buffer, { checksum }: FrameHeader, payload: Buffer): Buffer[] | undefined {
  if (!checksumOf(salt, payload).equals(checksum)) return undefined
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

function fillHeader(frame: Buffer, salt: Buffer, kind: FrameKind, sequence: number): Buffer {
  frame.set(magic, 0)
  frame.writeUInt32LE(kinds.indexOf(kind), 4)
  frame.writeBigUInt64LE(BigInt(sequence), 8)
  frame.writeUInt32LE(frame.length - headerBytes, 16)
  frame.set(checksumOf(salt, frame.subarray(headerBytes)), checksumAt)
  frame.writeUInt32LE(headerCrc(salt, frame), crcAt)
  return frame
}

function headerCrc(salt: Buffer, header: Buffer): number {
  return crc32(header.subarray(0, crcAt), crc32(salt))
}

/** Of SHA-256: a change is missed once in 2⁶⁴ times. */
function checksumOf(salt: Buffer, payload: Buffer): Buffer {
  return createHash('sha256').update(salt).update(payload).digest().subarray(0, checksumBytes)
}
