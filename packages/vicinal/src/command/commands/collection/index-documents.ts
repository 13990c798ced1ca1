// `vicinal index notes.jsonl --out notes.collection`: makes a collection of the documents of a file. And `vicinal add`: stores more.

import { EngineError } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../../command-io.ts'
import { collectionEnding, withCollection } from '../../files/collection-file.ts'
import { addDocumentColumns, type DocumentColumns, readDocuments } from '../../files/document-lines.ts'
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
    const count = await store(collection, data, flags, io)
    await collection.save(out, { overwrite: force ?? false, signal: io.signal })
    const { vectors } = collection.stats()
    const bytes = await fileBytes(out)
    if (json) return printJson(io, { kind: 'collection', documents: collection.count(), vectors, indexBytes: bytes })
    io.stderr.write(`indexed ${formatCountOf(count, 'document')}, ${formatCountOf(vectors, 'vector')}\n`)
    io.stderr.write(`wrote ${oneLine(out)}, ${formatBytes(bytes)}\n`)
  } finally {
    collection.free()
  }
}

const addExamples = `
Each line of data is a JSON object, or a row of a CSV or Parquet file. id, text,
fields, vector and metadata are as in the library. title, description, abstract,
body and content are searched too; all other names are metadata. A line without
an id gets a number. A document with the id of a stored one replaces it.
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
    .argument('<data>', 'JSON lines, CSV or Parquet, or - for JSON lines on stdin')
    .action((path: string, data: string, _flags: unknown, self: Command) => {
      return withCollection(path, io, async collection => {
        const count = await store(collection, data, self.optsWithGlobals<DocumentColumns>(), io)
        await collection.save(path, { overwrite: true, signal: io.signal })
        const documents = collection.count()
        if (self.optsWithGlobals<GlobalOptions>().json) return printJson(io, { stored: count, documents })
        io.stderr.write(`stored ${formatCountOf(count, 'document')}; the collection has ${documents}\n`)
      })
    })
  addDocumentColumns(command).addHelpText('after', addExamples)
}

async function store(collection: Collection, data: string, columns: DocumentColumns, io: CommandIo): Promise<number> {
  return withProgress(io, documentStages, async onProgress => {
    // A number that no document has.
    let next = collection.count()
    const nextId = () => {
      while (collection.has(next)) next++
      return next++
    }
    const documents = readDocuments(data, columns, io, nextId)
    const count = await collection.upsertMany(documents, { signal: io.signal, onProgress })
    await collection.optimize({ signal: io.signal, onProgress })
    return count
  })
}
