// `vicinal index notes.jsonl --out notes.collection`: makes a collection of the documents of a file. And `vicinal add`: stores more.

import { EngineError } from '@vicinal/core'
import { Collection, type CollectionDocument } from '@vicinal/core/collection'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../../command-io.ts'
import { collectionEnding, withCollection } from '../../files/collection-file.ts'
import {
  addDocumentColumns,
  type DocumentColumns,
  type PlacedDocument,
  readDocuments,
} from '../../files/document-lines.ts'
import { fileBytes, refuseTaken } from '../../files/output-file.ts'
import type { GlobalOptions } from '../../program.ts'
import { withProgress } from '../../terminal/progress-bar.ts'
import { formatBytes, formatCountOf } from '../../terminal/quantity.ts'
import { documentStages } from '../../terminal/stages.ts'
import { oneLine } from '../../terminal/table.ts'

interface IndexFlags extends GlobalOptions, DocumentColumns {
  readonly out: string
  readonly force?: boolean
  readonly metric?: string
  readonly set?: readonly string[]
}

/** Whether `index` is to make a collection. */
export function makesCollection({ out, kind }: { readonly out: string; readonly kind?: string }): boolean {
  if (!out.endsWith(collectionEnding)) return false
  if (kind === undefined) return true
  throw new EngineError('INVALID_OPTION', `--kind is ${kind}, but --out names a collection, which has no kind`, {
    hint: `Leave out --kind, or give the index file a name that does not end in ${collectionEnding}.`,
  })
}

export async function indexDocuments(data: string, flags: IndexFlags, io: CommandIo): Promise<void> {
  const { out, force, json, metric, set = [] } = flags
  await refuseTaken(out, force)
  if (set.length > 0) throw new EngineError('INVALID_OPTION', `--set ${set[0]}: a collection has no options for --set`)
  // The collection checks the metric.
  const collection = Collection.create({ ...(metric !== undefined && { metric: metric as 'cosine' }) })
  try {
    const stored = await store(collection, data, flags, io)
    await collection.save(out, { overwrite: force ?? false, signal: io.signal })
    const { vectors } = collection.stats()
    const bytes = await fileBytes(out)
    const documents = collection.count()
    if (stored.replaced > 0) {
      const which = formatCountOf(stored.replaced, 'document')
      io.stderr.write(`${oneLine(data)}: ${which} replaced an earlier one with the same id\n`)
    }
    if (json) return printJson(io, { kind: 'collection', documents, vectors, indexBytes: bytes })
    io.stderr.write(`indexed ${formatCountOf(documents, 'document')}, ${formatCountOf(vectors, 'vector')}\n`)
    io.stderr.write(`wrote ${oneLine(out)}, ${formatBytes(bytes)}\n`)
  } finally {
    collection.free()
  }
}

const addExamples = `
Each line of data is a JSON object, or a row of a CSV, TSV or Parquet file; an
array of objects will do. id, text, fields, vector and metadata are as in the
library. title, description, abstract, body and content are searched too; all
other names are metadata. A line without an id gets a number. A document with
the id of a stored one replaces it.
  {"id": "n1", "text": "The ferry leaves at noon", "year": 2026, "tags": ["sea"]}

Examples:
  vicinal add notes.collection more.jsonl
  vicinal add books.collection new.csv --text-column headline
  echo '{"id": "n7", "text": "Ice on the sea"}' | vicinal add notes.collection -`

export function addAdd(program: Command, io: CommandIo): void {
  const command = program
    .command('add')
    .description('Store documents in a collection. A document with the same id is replaced.')
    .summary('store documents in a collection')
    .helpGroup('Search:')
    .argument('<collection>', 'collection file written by index')
    .argument('<data>', 'JSON lines or array, CSV, TSV or Parquet, or - for JSON lines on stdin')
    .action((path: string, data: string, _flags: unknown, self: Command) => {
      return withCollection(path, io, async collection => {
        const { count, replaced } = await store(collection, data, self.optsWithGlobals<DocumentColumns>(), io)
        await collection.save(path, { overwrite: true, signal: io.signal })
        const documents = collection.count()
        if (self.optsWithGlobals<GlobalOptions>().json) return printJson(io, { stored: count, replaced, documents })
        const which = replaced > 0 ? `, ${replaced} of them in place of others` : ''
        io.stderr.write(`stored ${formatCountOf(count, 'document')}${which}; the collection has ${documents}\n`)
      })
    })
  addDocumentColumns(command).addHelpText('after', addExamples)
}

interface Stored {
  readonly count: number
  /** Documents that had the id of an earlier one. */
  readonly replaced: number
}

async function store(collection: Collection, data: string, columns: DocumentColumns, io: CommandIo): Promise<Stored> {
  const before = collection.count()
  return withProgress(io, documentStages, async onProgress => {
    // A number that no document has.
    let next = before
    const nextId = () => {
      while (collection.has(next)) next++
      return next++
    }
    const documents = checked(collection, readDocuments(data, columns, io, nextId))
    const count = await collection.upsertMany(documents, { signal: io.signal, onProgress })
    await collection.optimize({ signal: io.signal, onProgress })
    return { count, replaced: count - (collection.count() - before) }
  })
}

/** The documents, if the collection takes them. Errors say where in the file. */
async function* checked(
  collection: Collection,
  documents: AsyncIterable<PlacedDocument>,
): AsyncGenerator<CollectionDocument> {
  for await (const { document, where } of documents) {
    try {
      collection.checkDocuments([document])
    } catch (cause) {
      if (!(cause instanceof EngineError)) throw cause
      const { code, message, hint } = cause
      throw new EngineError(code, message, { where, cause, ...(hint !== undefined && { hint }) })
    }
    yield document
  }
}
