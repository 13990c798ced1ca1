// Streams of bytes as async iterables of chunks: reading a web stream, joining, and looking at the beginning without
// losing it.

import { throwIfAborted } from '../../errors.ts'

export type Chunks = AsyncIterable<Uint8Array>

/** The stream's chunks; leaving the loop early cancels it. (Not every browser can loop over a ReadableStream itself.) */
export async function* streamChunks<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader()
  let finished = false
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
    finished = true
  } finally {
    // A stream that failed refuses to be canceled, with the failure that is already on its way to the caller.
    if (!finished) await reader.cancel().catch(() => {})
    reader.releaseLock()
  }
}

/** The parts one after another, in one array; a single part is returned as it is. */
export function joinChunks(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** Takes chunks until they hold `bytes` bytes or end; `rest` yields them again, then all others. `rest` is read once. */
export async function lookAhead(chunks: Chunks, bytes: number): Promise<{ head: Uint8Array; rest: Chunks }> {
  const iterator = chunks[Symbol.asyncIterator]()
  const taken: Uint8Array[] = []
  for (let length = 0; length < bytes; ) {
    const next = await iterator.next()
    if (next.done) break
    taken.push(next.value)
    length += next.value.length
  }
  return { head: joinChunks(taken).subarray(0, bytes), rest: { [Symbol.asyncIterator]: () => resume(taken, iterator) } }
}

/** An iterator over `taken`, then over what `iterator` has left. Its `return` always closes the source. */
function resume(taken: Uint8Array[], iterator: AsyncIterator<Uint8Array>): AsyncIterator<Uint8Array> {
  return {
    next: async () => {
      const value = taken.shift()
      return value ? { done: false, value } : iterator.next()
    },
    return: async () => {
      taken.length = 0
      await iterator.return?.()
      return { done: true, value: undefined }
    },
  }
}

/** The same chunks until the signal fires, which is heard while the source is silent. */
export function untilAborted(chunks: Chunks, signal: AbortSignal): Chunks {
  return { [Symbol.asyncIterator]: () => heedSignal(chunks[Symbol.asyncIterator](), signal) }
}

async function* heedSignal(source: AsyncIterator<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let onAbort = () => {}
  const stopped = new Promise<'stopped'>(resolve => {
    onAbort = () => resolve('stopped')
  })
  signal.addEventListener('abort', onAbort)
  let waiting = false
  try {
    for (;;) {
      throwIfAborted(signal)
      waiting = true
      const next = await Promise.race([source.next(), stopped])
      waiting = false
      if (next === 'stopped') continue
      if (next.done) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    // A source that does not answer is told to close, but we cannot wait for it.
    const closed = source.return?.()
    if (waiting || signal.aborted) closed?.catch(() => {})
    else await closed
  }
}
