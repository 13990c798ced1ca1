// Whether a store can still be used: it is neither closed nor failed, and not read-only if it is to be changed.

import { unusable } from '../log/log-error.ts'
import type { StoreWriter } from './store-writer.ts'

/** The parts of an open store that matter here. */
interface OpenStore {
  readonly folder: string
  /** Undefined if it was opened read-only. */
  readonly writer?: StoreWriter | undefined
}

/** Refuses calls of a store that is closed, or whose disk failed. */
export function checkUsable({ folder, writer }: OpenStore, isClosed: boolean): void {
  if (isClosed) throw unusable(folder, 'the store is closed', 'Open it again.')
  const failure = writer?.failure
  if (failure) throw unusable(folder, `the store has failed before: ${failure.message}`, 'Open it again.', failure)
}

/** The writer of a store that can be changed. */
export function usableWriter(store: OpenStore, isClosed: boolean): StoreWriter {
  checkUsable(store, isClosed)
  if (store.writer) return store.writer
  throw unusable(store.folder, 'the store is open read-only', 'To change it, open it without readOnly.')
}
