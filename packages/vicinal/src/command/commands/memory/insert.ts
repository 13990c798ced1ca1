// `vicinal memory insert`: stores one memory, or one for every line of a file or of stdin.

import { EngineError, type Id, type Json, type Place } from '@vicinal/core'
import { throwIfAborted } from '@vicinal/core/internals'
import type { MemoryStore } from '@vicinal/server'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../../command-io.ts'
import { parseFlagJson, readTextLines } from '../../files/json-lines.ts'
import { keyOfFlags, type MemoryLine, parseMemory, placed } from '../../files/memory-lines.ts'
import { withStore } from '../../files/with-store.ts'
import type { GlobalOptions } from '../../program.ts'
import { withProgress } from '../../terminal/progress-bar.ts'
import { formatMemories } from '../../terminal/quantity.ts'
import { insertStages } from '../../terminal/stages.ts'

interface Flags extends GlobalOptions {
  readonly text?: string
  readonly vector?: string
  readonly value?: string
  readonly id?: string
  readonly namespace?: string
}

interface Tally {
  inserted: number
  /** Lines that were skipped. */
  expired: number
}

const examples = `
Prints one JSON line per memory, with its id, once it is on disk:
  {"id": 0}
Each line of data is a JSON object. Keys are all texts, all texts with
vectors, all vectors or all sparse:
  {"text": "the red door", "value": {"is": "locked"}, "id": "d1", "namespace": "anna"}
  {"text": "the red door", "vector": [0.5, 1, 2], "value": 7}
  {"key": [0.5, 1, 2], "value": 7}
  {"key": {"indices": [3], "values": [1]}, "value": null}
A line can also have metadata, createdAt, expiresAt, reward and rewards, as export
writes them. Lines that have expired are left out, and counted.

Examples:
  vicinal memory insert notes --text "the red door" --value '{"is": "locked"}'
  vicinal memory insert notes --text "the red door" --value 1 --namespace anna
  vicinal memory insert notes memories.jsonl.gz
  vicinal memory export old | vicinal memory insert new -`

export function addMemoryInsert(memory: Command, io: CommandIo): void {
  memory
    .command('insert')
    .description('Store memories: each has a key to find it by, and a value.')
    .summary('store memories')
    .argument('<store>', 'store made by create')
    .argument('[data]', 'file of JSON lines, gzipped or not, or - for stdin')
    .option('--text <text>', 'key of the memory, a text')
    .option('--vector <json>', 'a vector that belongs to the text, as a JSON array')
    .option('--value <json>', 'its value, as JSON')
    .option('--id <id>', 'its id (default: the next number)')
    .option('--namespace <name>', 'whose memory it is; only queries with the same name find it')
    .addHelpText('after', examples)
    .action((path: string, data: string | undefined, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>()
      checkFlags(data, flags)
      return withStore(path, { signal: io.signal }, store => insert(store, data, flags, io))
    })
}

function checkFlags(data: string | undefined, { text, vector, value, id, namespace }: Flags): void {
  const given = [text, vector, value, id, namespace].some(flag => flag !== undefined)
  if (data !== undefined ? !given : text !== undefined && value !== undefined) return
  throw new EngineError('INVALID_OPTION', 'expected either a data file, or --text and --value', {
    hint: `For example --text "the red door" --value '"locked"'.`,
  })
}

async function insert(store: MemoryStore, data: string | undefined, flags: Flags, io: CommandIo): Promise<void> {
  const tally: Tally = { inserted: 0, expired: 0 }
  try {
    if (data === undefined) tell([await insertOne(store, flags)], tally, flags, io)
    else await insertLines(store, data, tally, flags, io)
  } catch (error) {
    throw tellKept(error, tally.inserted)
  }
  const { inserted, expired } = tally
  if (flags.json) return printJson(io, { inserted, ...(expired > 0 && { expired }), memories: store.size })
  const left = expired > 0 ? `; skipped ${expired} that had expired` : ''
  io.stderr.write(`inserted ${formatMemories(inserted)}${left}\n`)
}

/** The same error, with a hint that says how many memories were stored before it. */
function tellKept(error: unknown, inserted: number): unknown {
  if (!(error instanceof EngineError) || inserted === 0) return error
  const kept = `${formatMemories(inserted)} ${inserted === 1 ? 'was' : 'were'} stored before that.`
  const hint = [error.hint, kept].filter(Boolean).join(' ')
  const { code, message, where } = error
  const told = new EngineError(code, message, { hint, cause: error })
  return where ? Object.assign(told, { where }) : told // the message already has the place
}

function insertOne(store: MemoryStore, { text = '', vector, value = '', id, namespace }: Flags): Promise<Id> {
  const parsed = parseFlagJson('--value', value) as Json // JSON made it
  const options = { ...(id !== undefined && { id }), ...(namespace !== undefined && { namespace }) }
  return store.insert(keyOfFlags(text, vector), parsed, options)
}

/** One after the other, until one is refused; those before it are kept. */
async function insertLines(store: MemoryStore, data: string, tally: Tally, flags: Flags, io: CommandIo): Promise<void> {
  let where: Place | undefined
  async function* memories(): AsyncGenerator<MemoryLine> {
    for await (const line of readTextLines(data, io)) {
      throwIfAborted(io.signal)
      where = line.where
      const memory = parseMemory(line)
      if (hasExpired(memory)) tally.expired++
      else yield memory
    }
  }
  const onInserted = (ids: readonly Id[]) => tell(ids, tally, flags, io)
  await withProgress(io, insertStages, onProgress => {
    return store.insertMany(memories(), { signal: io.signal, onProgress, onInserted })
  }).catch(error => {
    throw atItsLine(error, where)
  })
}

/** Such a memory was exported before it expired; now no query would find it. */
function hasExpired({ expiresAt }: MemoryLine): boolean {
  return expiresAt !== undefined && expiresAt <= Date.now()
}

/** Says on which line the refused memory is, instead of its number. */
function atItsLine(error: unknown, where: Place | undefined): unknown {
  const { cause } = error instanceof EngineError ? error : {}
  return where && cause instanceof EngineError && !cause.where ? placed(cause, where) : error
}

function tell(ids: readonly Id[], tally: Tally, { json }: Flags, { stdout }: CommandIo): void {
  tally.inserted += ids.length
  if (!json) stdout.write(ids.map(id => `${JSON.stringify({ id })}\n`).join(''))
}
