// Reads a segment, trusting nothing. A frame is written only after the previous one is flushed, into a file that was extended and flushed
// before. So after a crash only the last frame can be half-written, followed by zeros. It was never acknowledged and is ignored. Anything
// else that is wrong is damage, and so is an end before the mark.

import { join } from 'node:path'
import { FileWindow } from './file-window.ts'
import { findHeader, headerBytes, readHeader, readRecords } from './frame.ts'
import { damaged } from './log-error.ts'
import { openOwnFile, segmentFile } from './log-files.ts'
import { headBytes, readHead, type SegmentHead } from './segment-head.ts'

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
  readonly head: SegmentHead
  /** Something half-written follows. */
  readonly torn: boolean
  /** It says that another segment follows. */
  readonly complete: boolean
}

type Found = { readonly records: readonly Buffer[]; readonly bytes: number } | { torn: boolean; complete: boolean }

export async function* readSegment(folder: string, first: number): AsyncGenerator<RecordGroup, SegmentEnd> {
  const path = join(folder, segmentFile(first))
  const file = await openOwnFile(path)
  try {
    const window = new FileWindow(file)
    const head = readHead(path, await window.read(0, headBytes), first)
    const reader = new SegmentReader(path, window, head.salt)
    let [at, next] = [headBytes, first]
    for (;;) {
      const found = await reader.frameAt(at, next)
      if (!('records' in found)) {
        if (next < (head.marked ?? 0))
          throw reader.damage(at, next, `there were others up to ${Number(head.marked) - 1}`)
        return { at, next, head, ...found }
      }
      yield { first: next, records: found.records }
      at += found.bytes
      next += found.records.length
    }
  } finally {
    await file.close()
  }
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

  /** The frame at `at`, whose first record is to be `next`, or what is there instead. */
  async frameAt(at: number, next: number): Promise<Found> {
    try {
      return await this.#look(at, next)
    } catch {
      // While another process writes, a frame may have been read half-written. Once another frame follows, it is complete.
      this.#window.forget()
      return this.#look(at, next)
    }
  }

  async #look(at: number, next: number): Promise<Found> {
    const header = readHeader(this.#salt, await this.#window.read(at, headerBytes))
    if (!header) return this.#rest(at, next)
    const { kind, sequence, bytes } = header
    if (sequence !== next) throw this.damage(at, next, `it begins with record ${sequence}`)
    if (kind === 'mark') throw this.damage(at, next, 'there is a mark')
    if (kind === 'end') {
      if (await this.#isZeroFrom(at + headerBytes)) return { torn: false, complete: true }
      throw this.damage(at, next, 'more follows the end')
    }
    const payload = await this.#window.read(at + headerBytes, bytes)
    if (payload.length < bytes) throw this.damage(at, next, 'the file was truncated')
    const records = readRecords(this.#salt, header, payload)
    if (records && records.length > 0) return { records, bytes: headerBytes + bytes }
    if (await this.#isZeroFrom(at + headerBytes + bytes)) return { torn: true, complete: false }
    throw this.damage(at, next, 'its checksum does not match')
  }

  /** What is left where no frame is: nothing, or half of one. */
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
