// Where a log that was closed ends. A log that is open has marks instead, see segment-head.ts: they are in the segment itself, and cannot
// tell whether an earlier copy of the whole file is in its place. The seal exists from closing the log until the next write.
// Invariant: a writer removes the seal before it writes, and only the one writer makes a new one.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomically } from '@vicinal/core/internals'
import { damaged, tooNew, tooOld } from './log-error.ts'
import { sealFile, syncFolder } from './log-files.ts'
import { readSealed, sealJson } from './sealed-json.ts'

export interface LogEnd {
  /** The first sequence of the last segment. */
  readonly segment: number
  /** Where its frames end. */
  readonly at: number
  /** The sequence of the record that would come next. */
  readonly next: number
  /** Of the last frame, in hexadecimal digits. */
  readonly link: string
}

const format = 2

/** Undefined if the log was not closed. */
export async function readLogSeal(folder: string): Promise<LogEnd | undefined> {
  const seal = await readSealed(folder, sealFile)
  if (!seal) return undefined
  if (Number(seal.format) > format) throw tooNew(join(folder, sealFile), Number(seal.format), format)
  const end = { segment: Number(seal.segment), at: Number(seal.at), next: Number(seal.next) }
  if (Number(seal.format) < format) throw tooOld(join(folder, sealFile))
  if (!Object.values(end).every(Number.isSafeInteger) || typeof seal.link !== 'string')
    throw damaged(join(folder, sealFile), 'it does not record the end of a log')
  return { ...end, link: seal.link }
}

export async function writeLogSeal(folder: string, { segment, at, next, link }: LogEnd): Promise<void> {
  const seal = sealJson(sealFile, { format, segment, at, next, link })
  await writeAtomically(join(folder, sealFile), {}, write => write(seal))
}

/** Must be called before the first change. It is on disk when this resolves. */
export async function removeLogSeal(folder: string): Promise<void> {
  await rm(join(folder, sealFile), { force: true })
  await syncFolder(folder)
}
