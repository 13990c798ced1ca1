// Reads documents a few at a time, as they arrive.

import { refuse } from '../options.ts'

/** A list, or anything `for` or `for await` can loop over: a generator, a stream. */
export type GivenDocuments<Document> = Iterable<Document> | AsyncIterable<Document>

/** Up to `size` at a time. Closes the source if it is abandoned. */
export async function* inBatches<Document>(
  documents: GivenDocuments<Document>,
  size: number,
): AsyncGenerator<Document[]> {
  let batch: Document[] = []
  for await (const document of requireIterable(documents)) {
    batch.push(document)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function requireIterable<Document>(documents: GivenDocuments<Document>): GivenDocuments<Document> {
  const isObject = typeof documents === 'object' && documents !== null
  if (isObject && (Symbol.iterator in documents || Symbol.asyncIterator in documents)) return documents
  return refuse('documents', documents, 'a list of documents, or an iterable')
}
