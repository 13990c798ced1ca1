// Where a log ends: the end of its last segment, which has to be where the seal says if the log was closed.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { damaged, folderFailure } from './log-error.ts'
import { listLogFiles, segmentFile } from './log-files.ts'
import { type LogEnd, readLogSeal } from './log-seal.ts'
import { markPlaces, sizeStep } from './segment-head.ts'
import { readSegment, type SegmentEnd } from './segment-reader.ts'

export interface FoundEnd {
  /** The first sequence of the last segment. */
  readonly segment: number
  readonly end: SegmentEnd
}

/** How often a reader retries if a writer changes what it reads. */
const attempts = 20

/** Refuses a log that is damaged there. */
export async function findLogEnd(folder: string): Promise<FoundEnd> {
  for (let attempt = 1; ; attempt++) {
    const seen = await look(folder)
    try {
      return await findEnd(folder, seen)
    } catch (error) {
      // While this reads, another process may have started to write, or started a new segment.
      const changed = JSON.stringify(await look(folder)) !== JSON.stringify(seen)
      if (attempt === attempts || !changed) throw error
    }
  }
}

interface Seen {
  readonly seal: LogEnd | undefined
  readonly segments: readonly number[]
}

async function look(folder: string): Promise<Seen> {
  try {
    const { segments } = await listLogFiles(folder)
    return { seal: await readLogSeal(folder), segments }
  } catch (error) {
    throw folderFailure(folder, error)
  }
}

async function findEnd(folder: string, { seal, segments }: Seen): Promise<FoundEnd> {
  const segment = segments.at(-1)
  if (segment === undefined) throw damaged(folder, 'the log is missing')
  const path = join(folder, segmentFile(segment))
  const groups = readSegment(folder, segment)
  let read = await groups.next()
  while (!read.done) read = await groups.next()
  const end = read.value
  if (end.complete) throw damaged(path, `the segment after it, ${segmentFile(end.next)}, is missing`)
  const { size } = await stat(path)
  if (seal) checkSeal(path, seal, segment, end)
  else if (size % sizeStep !== 0) throw damaged(path, `it has ${size} bytes: it was truncated`)
  return { segment, end }
}

function checkSeal(path: string, seal: LogEnd, segment: number, { at, next, link, head, torn }: SegmentEnd): void {
  const asSealed =
    seal.segment === segment && seal.at === at && seal.next === next && seal.link === link.toString('hex')
  const isMarked = head.marks.length === markPlaces.length && head.marks.every(({ sequence }) => sequence === next)
  if (asSealed && isMarked && !torn) return
  const found = `its records end with ${next - 1} at byte ${at}`
  throw damaged(
    path,
    `the log was changed after it was closed: ${found}, they ended with ${seal.next - 1} at ${seal.at}`,
  )
}
