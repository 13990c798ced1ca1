// A store for one command: it is always closed, and its changes are on disk.

import { stat } from 'node:fs/promises'
import { EngineError, type Id } from '@vicinal/core'
import { throwIfAborted } from '@vicinal/core/internals'
import type { MemoryStore, OpenStoreOptions } from '@vicinal/server'

/** Replaying this many operations takes the next command a tenth of a second. */
const longLog = 1000

/**
 * Opens a store, and closes it after `use`. At the signal nothing more is done than to close it. The server is loaded here, so that
 * other commands do without it.
 */
export async function withStore<T>(
  path: string,
  { signal, ...options }: OpenStoreOptions & { readonly signal: AbortSignal },
  use: (store: MemoryStore) => T | Promise<T>,
): Promise<T> {
  const server = await import('@vicinal/server')
  const store = await server.MemoryStore.open(path, { ...options, signal })
  try {
    throwIfAborted(signal)
    const result = await use(store)
    if (!options.readOnly) await shortenLog(store)
    return result
  } finally {
    const closed = store.close()
    // A store that was only read has nothing to write, so we do not wait for what it is still doing, such as a check.
    if (!(options.readOnly && signal.aborted)) await closed
    else closed.catch(() => {})
  }
}

/** Commands open the store each time: if the log is long, a snapshot saves them from replaying it all. */
export async function shortenLog(store: MemoryStore): Promise<void> {
  const { logged } = await store.stats()
  if (logged >= longLog) await store.snapshot()
}

/** Whether a path is a store. Loads the code that opens stores only if it is a folder. */
export async function isStore(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => undefined) // reading reports anything that is wrong
  return facts?.isDirectory() === true && (await import('@vicinal/server')).isMemoryStore(path)
}

/** The id that a word on the command line means: a text, or the number that it is. */
export function findId(store: MemoryStore, word: string): Id {
  const number = Number(word)
  const found = [word, ...(word.trim() !== '' && Number.isFinite(number) ? [number] : [])].find(id => store.get(id))
  if (found !== undefined) return found
  throw new EngineError('UNKNOWN_NAME', `there is no memory with the id ${JSON.stringify(word)}`, {
    hint: 'It was removed, or evicted because the store was full. `vicinal memory export` lists all memories.',
  })
}
