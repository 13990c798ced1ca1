// `vicinal search notes.collection`: the best documents for a text, for a stored document, or for every line of a file.

import { access } from 'node:fs/promises'
import { EngineError, type JsonObject } from '@vicinal/core'
import type { Collection, CollectionHit, CollectionQuery } from '@vicinal/core/collection'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../../command-io.ts'
import { findDocument, withCollection } from '../../files/collection-file.ts'
import { checkFilterValues } from '../../files/filter-values.ts'
import { parseObject, readTextLines } from '../../files/json-lines.ts'
import { atLine } from '../../files/memory-lines.ts'
import type { AnswerSink, Cell, Column } from '../../files/results/answer.ts'
import { type ResultFlags, withResults } from '../../files/results/result-file.ts'
import { filterHelp, parseFilters } from '../../flags/filter-flag.ts'
import { lowestScore } from '../../flags/lowest-score.ts'
import { collect } from '../../flags/read-options.ts'
import type { GlobalOptions } from '../../program.ts'

export interface DocumentFlags extends GlobalOptions, ResultFlags {
  readonly minScore?: number
  readonly k: number
  readonly text?: string
  readonly like?: string
  readonly filter?: readonly string[]
  readonly prefix?: boolean
  readonly typos?: boolean
}

type Query = CollectionQuery<JsonObject>

/** The flags for collections, as a separate group. */
export function addDocumentFlags(command: Command): Command {
  return command
    .optionsGroup('Collections:')
    .option('--text <words>', 'words to look for')
    .option('--like <id>', 'find documents like this one')
    .option('--filter <condition>', filterHelp, collect)
    .option('--prefix', 'also find words that the last word begins')
    .option('--typos', 'also find words that differ by a typo')
    .option('--min-score <x>', 'only documents with at least this score', lowestScore)
}

export async function searchDocuments(
  path: string,
  queries: string | undefined,
  flags: DocumentFlags,
  io: CommandIo,
): Promise<void> {
  const { text, like } = flags
  const given = [queries, text, like].filter(part => part !== undefined).length
  if (given !== 1) {
    throw new EngineError('INVALID_OPTION', 'expected one of --text, --like and a file of queries', {
      hint: 'For example --text "baltic history".',
    })
  }
  const conditions = parseFilters(flags.filter ?? [])
  const common = { ...commonOf(flags), ...(conditions && { filter: conditions as Query['filter'] }) }
  await withCollection(path, io, async collection => {
    if (conditions) checkFilterValues(collection, conditions)
    if (queries !== undefined) {
      if (queries !== '-') await requireFile(queries)
      const columns = [queryColumn, ...hitColumns]
      return withResults(flags, columns, io, sink => searchLines(collection, queries, common, flags, sink, io))
    }
    const query = like === undefined ? { text: text ?? '' } : { like: findDocument(collection, like) }
    const hits = good(await collection.search({ ...common, ...query }), flags)
    if (hits.length === 0) sayNothingFound(flags, io)
    if (flags.json && flags.out === undefined) return printJson(io, { hits: hits.map(shownHit) })
    await withResults(flags, hitColumns, io, sink => {
      return sink.write(hits.map((hit, i) => ({ line: shownHit(hit), rows: [hitCells(hit, i)] })))
    })
  })
}

/** On stderr, so that programs read an empty answer as before. */
function sayNothingFound({ text, typos, json }: DocumentFlags, { stderr }: CommandIo): void {
  if (json) return
  stderr.write('vicinal: no documents found\n')
  if (text !== undefined && !typos) stderr.write('  hint: --typos also finds words that differ by a typo.\n')
}

/** The most likely mistake: words instead of a file. */
async function requireFile(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere) return
  throw new EngineError('FILE_NOT_FOUND', 'no such file of queries', {
    where: { file: path },
    hint: `To search for these words, write --text ${JSON.stringify(path)}.`,
  })
}

const queryColumn: Column = { name: 'query', type: 'text' }
const hitColumns: readonly Column[] = [
  { name: 'rank', type: 'number' },
  { name: 'id', type: 'text' },
  { name: 'score', type: 'number' },
  { name: 'distance', type: 'number' },
  { name: 'text', type: 'text' },
  { name: 'metadata', type: 'text' },
  { name: 'words', type: 'text' },
]

type Hit = CollectionHit<JsonObject>

function good(hits: readonly Hit[], { minScore = Number.NEGATIVE_INFINITY }: DocumentFlags): Hit[] {
  return hits.filter(({ score }) => score >= minScore)
}

/** In the order of `hitColumns`. Several fields of text are one cell, as is the metadata, in JSON. */
function hitCells(hit: Hit, place: number): Cell[] {
  const { id, score, distance, document } = hit
  const { text, fields, metadata } = document
  return [
    ...[place + 1, id, score, distance],
    text ?? (fields && Object.values(fields).join('\n')),
    metadata && JSON.stringify(metadata),
    wordsOf(hit)?.join(' '),
  ]
}

/** One line of JSON per query, in order. */
async function searchLines(
  collection: Collection,
  path: string,
  common: Query,
  flags: DocumentFlags,
  sink: AnswerSink,
  io: CommandIo,
): Promise<void> {
  let number = 0
  for await (const line of readTextLines(path, io)) {
    const { id = number++, ...query } = parseObject(line, '{"text": "…"}')
    // The collection checks the query.
    const found = await atLine(line.where, () => collection.search({ ...common, ...(query as Query) }))
    const hits = good(found, flags)
    const rows = hits.map((hit, i) => [String(id), ...hitCells(hit, i)])
    await sink.write([{ line: { id, hits: hits.map(shownHit) }, rows }])
  }
}

function commonOf({ k, prefix, typos }: DocumentFlags): Query {
  return {
    k,
    ...(prefix && { prefix: 'last' as const }),
    ...(typos && { typos }),
  }
}

/** The answer contains the document, so you do not have to look up a number. */
function shownHit(hit: Hit): object {
  const { id, score, distance, document } = hit
  const { id: _, ...parts } = document
  const words = wordsOf(hit)
  return {
    id,
    score,
    ...(distance !== undefined && { distance }),
    ...parts,
    ...(words && { words }),
  }
}

/** The words of the text that were found, each once. */
function wordsOf({ because }: Hit): string[] | undefined {
  return because?.words && [...new Set(because.words.map(({ word }) => word))]
}
