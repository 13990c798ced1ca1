// Reads a file in large chunks and returns parts of them: a log has many small frames.

import type { FileHandle } from 'node:fs/promises'

const pieceBytes = 2 ** 18

export class FileWindow {
  readonly #file: FileHandle
  /** What was read last, from `#at` on. Never overwritten, because callers hold parts of it. */
  #piece: Buffer = Buffer.alloc(0)
  #at = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  /** Up to `length` bytes from `at` on; fewer at the end of the file. */
  async read(at: number, length: number): Promise<Buffer> {
    if (at < this.#at || at + length > this.#at + this.#piece.length) await this.#load(at, Math.max(length, pieceBytes))
    return this.#piece.subarray(at - this.#at, at - this.#at + length)
  }

  /** Makes the next read go to disk: another process may have written in the meantime. */
  forget(): void {
    this.#piece = Buffer.alloc(0)
  }

  /** The rest of the file from `at` on, piece by piece; each begins `overlap` bytes before the last one ended. */
  async *rest(at: number, overlap = 0): AsyncGenerator<Buffer> {
    for (let from = at; ; ) {
      const piece = await this.read(from, pieceBytes)
      if (piece.length > 0) yield piece
      if (piece.length <= overlap || piece.length < pieceBytes) return
      from += piece.length - overlap
    }
  }

  async #load(at: number, length: number): Promise<void> {
    const { size } = await this.#file.stat()
    const piece = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - at)))
    let filled = 0
    while (filled < piece.length) {
      const { bytesRead } = await this.#file.read(piece, filled, piece.length - filled, at + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    this.#piece = piece.subarray(0, filled)
    this.#at = at
  }
}
