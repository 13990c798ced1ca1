// `vicinal search notes.collection`: the best documents for a text, for a stored document, or for every line of a file.

import { EngineError, type JsonObject } from '@vicinal/core'
import type { Collection, CollectionHit, CollectionQuery } from '@vicinal/core/collection'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../../command-io.ts'
import { findDocument, withCollection } from '../../files/collection-file.ts'
import { parseObject, readTextLines } from '../../files/json-lines.ts'
import { atLine } from '../../files/memory-lines.ts'
import { filterHelp, parseFilters } from '../../flags/filter-flag.ts'
import { collect } from '../../flags/read-options.ts'
import type { GlobalOptions } from '../../program.ts'

export interface DocumentFlags extends GlobalOptions {
  readonly k: number
  readonly text?: string
  readonly like?: string
  readonly filter?: readonly string[]
  readonly prefix?: boolean
  readonly typos?: boolean
}

type Query = CollectionQuery<JsonObject>

/** The flags for collections, as a group of their own. */
export function addDocumentFlags(command: Command): Command {
  return command
    .optionsGroup('Collections:')
    .option('--text <words>', 'words to look for')
    .option('--like <id>', 'find documents like this one')
    .option('--filter <condition>', filterHelp, collect)
    .option('--prefix', 'also find words that the last word begins')
    .option('--typos', 'also find words that differ by a typo')
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
  const common = commonOf(flags)
  await withCollection(path, async collection => {
    if (queries !== undefined) return searchLines(collection, queries, common, io)
    const query = like === undefined ? { text: text ?? '' } : { like: findDocument(collection, like) }
    const hits = (await collection.search({ ...common, ...query })).map(shownHit)
    if (flags.json) return printJson(io, { hits })
    io.stdout.write(hits.map(hit => `${JSON.stringify(hit)}\n`).join(''))
  })
}

/** A line of JSON for every query, in their order. */
async function searchLines(collection: Collection, path: string, common: Query, io: CommandIo): Promise<void> {
  let number = 0
  for await (const line of readTextLines(path, io)) {
    const { id = number++, ...query } = parseObject(line, '{"text": "…"}')
    // The collection checks what is asked.
    const hits = await atLine(line.where, () => collection.search({ ...common, ...(query as Query) }))
    io.stdout.write(`${JSON.stringify({ id, hits: hits.map(shownHit) })}\n`)
  }
}

function commonOf({ k, filter = [], prefix, typos }: DocumentFlags): Query {
  const conditions = parseFilters(filter)
  return {
    k,
    ...(conditions && { filter: conditions as Query['filter'] }),
    ...(prefix && { prefix: 'last' as const }),
    ...(typos && { typos }),
  }
}

/** The document is in the answer: nobody has to look up a number. */
function shownHit({ id, score, distance, document, because }: CollectionHit<JsonObject>): object {
  const { id: _, ...parts } = document
  const words = because?.words?.map(({ word }) => word)
  return {
    id,
    score,
    ...(distance !== undefined && { distance }),
    ...parts,
    ...(words && { words: [...new Set(words)] }),
  }
}
