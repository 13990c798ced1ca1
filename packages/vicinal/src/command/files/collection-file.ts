// Loads a collection file for one command.

import { EngineError, type Id, inspectModel } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'

/** The extension of collection files. `index` makes a collection if --out has it. */
export const collectionEnding = '.collection'

/** Whether a file holds a collection. Reading it reports what is wrong with it. */
export async function isCollectionFile(path: string): Promise<boolean> {
  const facts = await inspectModel(path).catch(() => undefined)
  return facts?.method === 'collection'
}

/** Loads a collection, and frees it after `use`. */
export async function withCollection<T>(
  path: string,
  { signal }: { readonly signal: AbortSignal },
  use: (collection: Collection) => Promise<T>,
): Promise<T> {
  const collection = await Collection.load(path, { signal })
  try {
    return await use(collection)
  } finally {
    collection.free()
  }
}

/** The id that a word on the command line means: a text, or a number. */
export function findDocument(collection: Collection, word: string): Id {
  const number = Number(word)
  const found = [word, ...(word.trim() !== '' && Number.isFinite(number) ? [number] : [])].find(id =>
    collection.has(id),
  )
  if (found !== undefined) return found
  throw new EngineError('UNKNOWN_NAME', `there is no document with the id ${JSON.stringify(word)}`)
}
