// Reads a segment and checks everything. A frame is written only after the previous one is flushed, into a file that was extended and flushed
// before. So after a crash only the last frame can be half-written, followed by zeros. It was never acknowledged and is ignored. Anything
// else that is wrong is damage, and so is an end before a mark: marks are written before records are acknowledged.

import { join } from 'node:path'
import { FileWindow } from './file-window.ts'
import { findHeader, headerBytes, readHeader, readRecords } from './frame.ts'
import { damaged } from './log-error.ts'
import { openOwnFile, segmentFile } from './log-files.ts'
import { headBytes, type Mark, readHead, type SegmentHead } from './segment-head.ts'

/** Records that were written together. */
export interface RecordGroup {
  /** The sequence of the first. */
  readonly first: number
  readonly records: readonly Buffer[]
}

export interface SegmentEnd {
  /** Where the next frame belongs. */
  readonly at: number
  /** The sequence of its first record. */
  readonly next: number
  /** Of the last frame. */
  readonly link: Buffer
  readonly head: SegmentHead
  /** Something half-written follows. */
  readonly torn: boolean
  /** It says that another segment follows. */
  readonly complete: boolean
}

type Found =
  | { readonly records: readonly Buffer[]; readonly bytes: number; readonly link: Buffer }
  | { torn: boolean; complete: boolean }

/** `before` is the link that it has to follow, if that is known. */
export async function* readSegment(
  folder: string,
  first: number,
  before?: Buffer,
): AsyncGenerator<RecordGroup, SegmentEnd> {
  const path = join(folder, segmentFile(first))
  const file = await openOwnFile(path)
  try {
    const window = new FileWindow(file)
    const head = readHead(path, await window.read(0, headBytes), first)
    if (before && !before.equals(head.before)) throw damaged(path, 'it does not continue the segment before it')
    const reader = new SegmentReader(path, window, head.salt)
    let [at, next, link] = [headBytes, first, head.link]
    for (;;) {
      if (!head.marks.every(mark => fits(mark, next, link))) throw reader.damage(at, next, 'others were flushed before')
      const found = await reader.frameAt(at, next, link)
      if (!('records' in found)) {
        const marked = Math.max(...head.marks.map(({ sequence }) => sequence))
        if (next < marked) throw reader.damage(at, next, `there were others up to ${marked - 1}`)
        return { at, next, link, head, ...found }
      }
      yield { first: next, records: found.records }
      at += found.bytes
      next += found.records.length
      link = found.link
    }
  } finally {
    await file.close()
  }
}

/** Whether the chain at this record is the one that was marked. */
function fits(mark: Mark, next: number, link: Buffer): boolean {
  return mark.sequence !== next || mark.link.equals(link)
}

class SegmentReader {
  readonly #path: string
  readonly #window: FileWindow
  readonly #salt: Buffer

  constructor(path: string, window: FileWindow, salt: Buffer) {
    this.#path = path
    this.#window = window
    this.#salt = salt
  }

  /** The frame at `at`, whose first record is to be `next` and which follows the one with this link, or what is there instead. */
  async frameAt(at: number, next: number, link: Buffer): Promise<Found> {
    try {
      return await this.#look(at, next, link)
    } catch {
      // While another process writes, a frame may have been read half-written. Once another frame follows, it is complete.
      this.#window.forget()
      return this.#look(at, next, link)
    }
  }

  async #look(at: number, next: number, link: Buffer): Promise<Found> {
    const header = readHeader(this.#salt, await this.#window.read(at, headerBytes))
    if (!header) return this.#rest(at, next)
    const { kind, sequence, bytes } = header
    if (sequence !== next) throw this.damage(at, next, `it begins with record ${sequence}`)
    if (kind === 'mark') throw this.damage(at, next, 'there is a mark')
    if (kind === 'end') {
      if (!header.link.equals(link)) throw this.damage(at, next, 'there is the end of another segment')
      if (await this.#isZeroFrom(at + headerBytes)) return { torn: false, complete: true }
      throw this.damage(at, next, 'more follows the end')
    }
    const payload = await this.#window.read(at + headerBytes, bytes)
    if (payload.length < bytes) throw this.damage(at, next, 'the file was truncated')
    const records = readRecords(link, header, payload)
    if (records && records.length > 0) return { records, bytes: headerBytes + bytes, link: Buffer.from(header.link) }
    if (await this.#isZeroFrom(at + headerBytes + bytes)) return { torn: true, complete: false }
    throw this.damage(at, next, 'its checksum does not match')
  }

  /** What follows the last frame: nothing, or half of one. */
  async #rest(at: number, next: number): Promise<{ torn: boolean; complete: boolean }> {
    for await (const piece of this.#window.rest(at, headerBytes - 1)) {
      if (findHeader(this.#salt, piece) >= 0) throw this.damage(at, next, 'there are others after it')
    }
    return { torn: !(await this.#isZeroFrom(at)), complete: false }
  }

  async #isZeroFrom(at: number): Promise<boolean> {
    for await (const piece of this.#window.rest(at)) {
      if (!piece.equals(zeros.subarray(0, piece.length))) return false
    }
    return true
  }

  damage(at: number, next: number, what: string): Error {
    return damaged(this.#path, `the records from ${next} on, at byte ${at}, are damaged: ${what}`)
  }
}

const zeros = Buffer.alloc(2 ** 18)
