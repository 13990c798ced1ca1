// Reads the records of a log, segment by segment.

import { join } from 'node:path'
import { damaged } from './log-error.ts'
import { listLogFiles, openOwnFile, segmentFile } from './log-files.ts'
import { headBytes, readHead } from './segment-head.ts'
import { type RecordGroup, readSegment, type SegmentEnd } from './segment-reader.ts'

/** The records from sequence `from` to `to`; throws if one is damaged or gone. */
export async function* readLog(folder: string, from: number, to: number): AsyncGenerator<RecordGroup> {
  let segment = await segmentOf(folder, from)
  let before: Buffer | undefined
  let wanted = from
  let again = false
  for (;;) {
    const end: SegmentEnd | undefined = yield* recordsOf(folder, segment, before, wanted, to)
    if (!end || end.next > to) return
    const { next, torn, complete } = end
    const later = await segmentAfter(folder, segment)
    const path = join(folder, segmentFile(segment))
    if (later === undefined && !complete) return checkReached(path, from, next)
    const goesOn = later === next && !torn
    if (!goesOn && again)
      throw damaged(path, `the records from ${next} on are missing${later ? ` up to ${later - 1}` : ''}`)
    // A writer may have added to this segment, and started another, since it was read.
    again = !goesOn
    wanted = Math.max(wanted, next)
    if (!goesOn) continue
    segment = next
    before = end.link
  }
}

async function segmentOf(folder: string, sequence: number): Promise<number> {
  const { segments } = await listLogFiles(folder)
  const found = segments.findLast(first => first <= sequence)
  if (found !== undefined) return found
  throw damaged(folder, `the log has no record ${sequence}: its beginning is missing`)
}

async function segmentAfter(folder: string, segment: number): Promise<number | undefined> {
  const { segments } = await listLogFiles(folder)
  return segments.find(first => first > segment)
}

/** Returns where the segment ends, or undefined if it goes beyond `to`. */
async function* recordsOf(
  folder: string,
  segment: number,
  before: Buffer | undefined,
  from: number,
  to: number,
): AsyncGenerator<RecordGroup, SegmentEnd | undefined> {
  const groups = readSegment(folder, segment, before)
  try {
    for (;;) {
      const read = await groups.next()
      if (read.done) return read.value
      if (read.value.first > to) return undefined
      const part = within(read.value, from, to)
      if (part.records.length > 0) yield part
    }
  } finally {
    await groups.return(undefined as never) // closes the file even if the reader stops early
  }
}

/** The link before a record that a segment begins with, in hexadecimal digits; undefined if no segment does. */
export async function readLinkBefore(folder: string, sequence: number): Promise<string | undefined> {
  const { segments } = await listLogFiles(folder)
  if (!segments.includes(sequence)) return undefined
  const path = join(folder, segmentFile(sequence))
  const file = await openOwnFile(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return readHead(path, buffer.subarray(0, bytesRead), sequence).before.toString('hex')
  } finally {
    await file.close()
  }
}

/** A reader may start at most one record after the last. */
function checkReached(path: string, from: number, next: number): void {
  if (from > next) throw damaged(path, `the log ends with record ${next - 1}, but it had record ${from - 1}`)
}

function within({ first, records }: RecordGroup, from: number, to: number): RecordGroup {
  const skipped = Math.max(0, from - first)
  return { first: first + skipped, records: records.slice(skipped, Math.max(skipped, to - first + 1)) }
}
