// Adds frames to a segment. A frame counts once it is flushed and marked, and only then is the next one written. The file is extended, and
// that flushed, before a frame needs the space. segment-reader.ts depends on both. A mark is flushed with the next frame, or by `flush`.

import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomically } from '@vicinal/core/internals'
import { emptyFrame, headerBytes, recordsFrame } from './frame.ts'
import { openOwnFile, segmentFile } from './log-files.ts'
import { headBytes, markPlaces, newSegment, readHead, sizeStep } from './segment-head.ts'
import type { SegmentEnd } from './segment-reader.ts'

/** The most that the file is extended by at a time. */
const largestStep = 2 ** 20

export class SegmentWriter {
  readonly first: number
  readonly #file: FileHandle
  readonly #salt: Buffer
  #size: number
  /** Where the next frame goes, and the sequence it begins with. */
  #at: number
  #next: number
  /** Of the last frame. */
  #link: Buffer
  /** Marks written so far. */
  #marks = 0

  private constructor(first: number, file: FileHandle, size: number, { at, next, link, head }: SegmentEnd) {
    this.first = first
    this.#file = file
    this.#size = size
    this.#at = at
    this.#next = next
    this.#salt = head.salt
    this.#link = link
  }

  /** Creates a segment; it and its name are on disk when this resolves. */
  static async create(folder: string, first: number, before: Buffer): Promise<SegmentWriter> {
    const path = join(folder, segmentFile(first))
    const bytes = newSegment(first, before)
    await writeAtomically(path, {}, write => write(bytes))
    const head = readHead(path, bytes.subarray(0, headBytes), first)
    const file = await openOwnFile(path, constants.O_RDWR)
    return new SegmentWriter(first, file, bytes.length, {
      at: headBytes,
      next: first,
      link: head.link,
      head,
      torn: false,
      complete: false,
    })
  }

  /** Continues at the end of a segment, after flushing it; clears anything half-written there. */
  static async open(folder: string, first: number, end: SegmentEnd): Promise<SegmentWriter> {
    const file = await openOwnFile(join(folder, segmentFile(first)), constants.O_RDWR)
    try {
      const { size } = await file.stat()
      const writer = new SegmentWriter(first, file, size, end)
      if (end.torn) await writer.#clear()
      await writer.#makeRoom(headerBytes)
      // Also what a killed process wrote and did not flush: nothing may follow it before.
      await file.datasync()
      for (const _ of markPlaces) await writer.#mark()
      return writer
    } catch (error) {
      await file.close()
      throw error
    }
  }

  get next(): number {
    return this.#next
  }

  /** Of the last frame. */
  get link(): Buffer {
    return this.#link
  }

  /** Where the frames end. */
  get end(): number {
    return this.#at
  }

  /** Adds records; they are on disk, and marked, when this resolves. */
  async append(records: readonly Uint8Array[]): Promise<void> {
    const { frame, link } = recordsFrame(this.#salt, this.#link, this.#next, records)
    await this.#makeRoom(frame.length + headerBytes)
    await this.#write(frame, this.#at)
    await this.#file.datasync()
    this.#at += frame.length
    this.#next += records.length
    this.#link = link
    await this.#mark()
  }

  /** Flushes the last mark too. */
  async flush(): Promise<void> {
    await this.#file.datasync()
  }

  /** Marks the end in both places, for good. */
  async finish(): Promise<void> {
    for (const _ of markPlaces) await this.#mark()
    await this.flush()
  }

  /** Notes that another segment follows. Not flushed: that segment proves it as well. */
  async complete(): Promise<void> {
    await this.#write(emptyFrame(this.#salt, 'end', this.#next, this.#link), this.#at)
  }

  /** Cuts off the unused space. Call it only when it is on disk that the segment ends here. */
  async trim(): Promise<void> {
    await this.#file.truncate(this.#at)
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  /** Notes that all so far is flushed. */
  async #mark(): Promise<void> {
    const at = markPlaces[this.#marks++ % markPlaces.length] ?? 0
    await this.#write(emptyFrame(this.#salt, 'mark', this.#next, this.#link), at)
  }

  async #makeRoom(bytes: number): Promise<void> {
    const needed = this.#at + bytes
    if (needed <= this.#size && this.#size % sizeStep === 0) return
    const ahead = Math.min(this.#size, largestStep)
    this.#size = Math.ceil((needed + ahead) / sizeStep) * sizeStep
    await this.#file.truncate(this.#size)
    await this.#file.datasync()
  }

  /** Writes zeros from the end of the frames to the end of the file. */
  async #clear(): Promise<void> {
    const zeros = Buffer.alloc(Math.min(this.#size - this.#at, largestStep))
    for (let at = this.#at; at < this.#size; at += zeros.length) {
      await this.#write(zeros.subarray(0, this.#size - at), at)
    }
  }

  async #write(bytes: Buffer, at: number): Promise<void> {
    let written = 0
    while (written < bytes.length) {
      const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written, at + written)
      written += bytesWritten
    }
  }
}
