// A log: records of bytes, numbered from 1, in segments on disk. It does not know what the records mean.
// - A record is acknowledged when it is on disk. Records that arrive during a flush are written together.
// - What a crash leaves is a prefix of the records, all acknowledged ones among them. See segment-reader.ts.
// - It is sealed as it is written: before a record is acknowledged, it is marked as flushed. So after a crash of the process, nothing that
//   was acknowledged can be missing unnoticed. The last mark reaches the disk with the next flush, or soon after if there is none.
// - One process writes; others can read at the same time.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from '@vicinal/core'
import { maxRecordBytes } from './frame.ts'
import { GroupCommit } from './group-commit.ts'
import { type FoundEnd, findLogEnd } from './log-end.ts'
import { folderFailure, unusable, writeFailure } from './log-error.ts'
import { listLogFiles, segmentFile } from './log-files.ts'
import { readLinkBefore, readLog } from './log-reader.ts'
import { removeLogSeal, writeLogSeal } from './log-seal.ts'
import { firstLink } from './segment-head.ts'
import type { RecordGroup } from './segment-reader.ts'
import { SegmentWriter } from './segment-writer.ts'
import { WriterLock } from './writer-lock.ts'

export interface LogOptions {
  /** Read while another process may be writing. Default false. */
  readonly readOnly?: boolean
}

/** The bytes after which a group is flushed before more is written. */
const maxFrameBytes = 2 ** 24
/** If nothing is written for this long, the last mark is flushed: about the time a disk takes. */
const idleMs = 20

export class Log {
  readonly #folder: string
  readonly #lock: WriterLock | undefined
  readonly #commits = new GroupCommit<Uint8Array>(records => this.#write(records))
  #segment: SegmentWriter | undefined
  /** The sequence of the next record that is appended. */
  #next: number
  #failure: EngineError | undefined
  #sealing: NodeJS.Timeout | undefined

  private constructor(folder: string, next: number, segment?: SegmentWriter, lock?: WriterLock) {
    this.#folder = folder
    this.#next = next
    this.#segment = segment
    this.#lock = lock
  }

  /** Creates an empty log in an existing folder. Resolves to `linkBefore(1)`. */
  static async create(folder: string): Promise<string> {
    const link = firstLink()
    const segment = await SegmentWriter.create(folder, 1, link)
    await segment.close()
    return link.toString('hex')
  }

  /** Opens a log for writing (one process at a time) or for reading only. */
  static async open(folder: string, { readOnly = false }: LogOptions = {}): Promise<Log> {
    if (readOnly) return new Log(folder, (await findLogEnd(folder)).end.next)
    const lock = await WriterLock.take(folder)
    try {
      const found = await findLogEnd(folder)
      const segment = await prepareToWrite(folder, found)
      return new Log(folder, found.end.next, segment, lock)
    } catch (error) {
      await lock.free()
      throw folderFailure(folder, error)
    }
  }

  /** The sequence that the next record gets; for a reader, the one after the last when it was opened. */
  get next(): number {
    return this.#next
  }

  /** Why nothing can be written any more. */
  get failure(): EngineError | undefined {
    return this.#failure
  }

  /** Adds a record. Assigns its number (or throws) synchronously; resolves to it when the record is on disk. */
  append(record: Uint8Array): Promise<number> {
    if (!this.#segment) throw unusable(this.#folder, 'the log is read-only or closed', 'Open it for writing.')
    if (record.length > maxRecordBytes) {
      const limit = `the record has ${record.length} bytes, at most ${maxRecordBytes} are allowed`
      throw new EngineError('INVALID_OPTION', limit, { where: { file: this.#folder } })
    }
    const sequence = this.#next++
    return this.#commits.add(record).then(() => sequence)
  }

  /** Resolves when everything appended so far is on disk. Rejects if it could not be written. */
  flushed(): Promise<void> {
    return this.#commits.flushed()
  }

  /** Begins a new segment after all that was appended so far; resolves when that is on disk. */
  async rotate(): Promise<void> {
    let failure: unknown
    await this.#commits.run(async () => {
      // If the new segment cannot be created, keep writing to the old one.
      await this.#beginSegment().catch(error => {
        failure = error
      })
    })
    if (failure) throw folderFailure(this.#folder, failure)
  }

  /** The records from sequence `from` to `to`, in the groups they were written in; throws if one is damaged or gone. */
  replay(from: number, to = Number.POSITIVE_INFINITY): AsyncGenerator<RecordGroup> {
    return readLog(this.#folder, from, to)
  }

  /** The link before a record that starts a segment; undefined if none starts with it. It is different in every log. */
  linkBefore(sequence: number): Promise<string | undefined> {
    return readLinkBefore(this.#folder, sequence)
  }

  /** Removes the segments that hold no record from `sequence` on. Rotate before to drop all that was appended. */
  async truncateBefore(sequence: number): Promise<void> {
    const { segments } = await listLogFiles(this.#folder)
    // Oldest first, so that a crash leaves no gap.
    for (const [i, first] of segments.entries()) {
      if ((segments[i + 1] ?? Number.POSITIVE_INFINITY) > sequence) return
      await rm(join(this.#folder, segmentFile(first)), { force: true })
    }
  }

  /** Waits for pending records, and releases the lock. */
  async close(): Promise<void> {
    const segment = this.#segment
    clearTimeout(this.#sealing)
    try {
      await this.#commits.run(async () => {}).catch(() => {}) // callers of append got the error
      if (segment && !this.#failure) await seal(this.#folder, this.#segment ?? segment)
    } finally {
      await this.#segment?.close()
      this.#segment = undefined
      await this.#lock?.free()
    }
  }

  async #write(records: readonly Uint8Array[]): Promise<void> {
    try {
      if (this.#failure) throw this.#failure
      // Each frame is flushed before the next is written: only the last can be half-written.
      for (const group of groupsOf(records)) await this.#segment?.append(group)
    } catch (cause) {
      this.#failure ??= writeFailure(this.#folder, cause)
      throw this.#failure
    }
    this.#flushMarkSoon()
  }

  /** Flushes the mark of what was written, unless more comes soon. */
  #flushMarkSoon(): void {
    clearTimeout(this.#sealing)
    this.#sealing = setTimeout(() => {
      if (!this.#commits.idle || !this.#segment || this.#failure) return
      // Nothing is lost without it; if the disk fails, the next record reports it.
      this.#commits.run(async () => this.#segment?.flush().catch(() => {}))
    }, idleMs).unref()
  }

  async #beginSegment(): Promise<void> {
    const before = this.#segment
    if (!before || before.first === before.next) return
    this.#segment = await SegmentWriter.create(this.#folder, before.next, before.link)
    await before.complete().catch(() => {}) // the new segment also says where it ends
    await before.close()
  }
}

/** Records in their order, as many at a time as one frame holds. */
function* groupsOf(records: readonly Uint8Array[]): Generator<readonly Uint8Array[]> {
  let [from, bytes] = [0, 0]
  for (const [i, { length }] of records.entries()) {
    if (i > from && bytes + length > maxFrameBytes) {
      yield records.slice(from, i)
      from = i
      bytes = 0
    }
    bytes += length
  }
  if (from < records.length) yield records.slice(from)
}

/** Removes what a killed process left; from here on the log is open. */
async function prepareToWrite(folder: string, { segment, end }: FoundEnd): Promise<SegmentWriter> {
  const { leftovers } = await listLogFiles(folder)
  for (const name of leftovers) await rm(join(folder, name), { force: true })
  const writer = await SegmentWriter.open(folder, segment, end)
  try {
    await removeLogSeal(folder)
    return writer
  } catch (error) {
    await writer.close()
    throw error
  }
}

/** The seal is only an extra check, so failing to write it (a full disk) is not an error. */
async function seal(folder: string, segment: SegmentWriter): Promise<void> {
  try {
    await segment.finish()
    const { first, end, next, link } = segment
    await writeLogSeal(folder, { segment: first, at: end, next, link: link.toString('hex') })
    await segment.trim()
  } catch {}
}
