// `vicinal memory insert`: stores one memory, or one for every line of a file or of stdin.

import { EngineError, type Id, type Json } from '@vicinal/core'
import { throwIfAborted } from '@vicinal/core/internals'
import type { MemoryStore } from '@vicinal/server'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../../command-io.ts'
import { parseFlagJson, readTextLines } from '../../files/json-lines.ts'
import { atLine, parseMemory } from '../../files/memory-lines.ts'
import { withStore } from '../../files/with-store.ts'
import type { GlobalOptions } from '../../program.ts'
import { formatMemories } from '../../terminal/quantity.ts'

interface Flags extends GlobalOptions {
  readonly text?: string
  readonly value?: string
  readonly id?: string
  readonly namespace?: string
}

/** Memories on their way to the disk at a time. */
const batchMemories = 256

const examples = `
Prints one JSON line per memory, with its id, once it is on disk:
  {"id": 0}
Each line of data is a JSON object. Keys are all texts, all vectors or all sparse:
  {"text": "the red door", "value": {"is": "locked"}, "id": "d1", "namespace": "anna"}
  {"key": [0.5, 1, 2], "value": 7}
  {"key": {"indices": [3], "values": [1]}, "value": null}

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

function checkFlags(data: string | undefined, { text, value, id, namespace }: Flags): void {
  const given = [text, value, id, namespace].some(flag => flag !== undefined)
  if (data !== undefined ? !given : text !== undefined && value !== undefined) return
  throw new EngineError('INVALID_OPTION', 'expected either a data file, or --text and --value', {
    hint: `For example --text "the red door" --value '"locked"'.`,
  })
}

async function insert(store: MemoryStore, data: string | undefined, flags: Flags, io: CommandIo): Promise<void> {
  const tally = { inserted: 0 }
  try {
    if (data === undefined) tell([await insertOne(store, flags)], tally, flags, io)
    else await insertLines(store, data, tally, flags, io)
  } catch (error) {
    throw tellKept(error, tally.inserted)
  }
  if (flags.json) printJson(io, { ...tally, memories: store.size })
  else io.stderr.write(`inserted ${formatMemories(tally.inserted)}\n`)
}

/** The same error, whose hint tells how many memories were stored before it. */
function tellKept(error: unknown, inserted: number): unknown {
  if (!(error instanceof EngineError) || inserted === 0) return error
  const kept = `${formatMemories(inserted)} ${inserted === 1 ? 'was' : 'were'} stored before that.`
  const hint = [error.hint, kept].filter(Boolean).join(' ')
  const { code, message, where } = error
  const told = new EngineError(code, message, { hint, cause: error })
  return where ? Object.assign(told, { where }) : told // the message has the place already
}

function insertOne(store: MemoryStore, { text = '', value = '', id, namespace }: Flags): Promise<Id> {
  const parsed = parseFlagJson('--value', value) as Json // JSON made it
  return store.insert(text, parsed, { ...(id !== undefined && { id }), ...(namespace !== undefined && { namespace }) })
}

/** One after the other up to the first that is refused; those before it are kept. */
async function insertLines(
  store: MemoryStore,
  data: string,
  tally: { inserted: number },
  flags: Flags,
  io: CommandIo,
): Promise<void> {
  let batch: Promise<Id | undefined>[] = []
  let failure: unknown
  const flush = async () => {
    const ids = await Promise.all(batch)
    batch = []
    tell(
      ids.filter(id => id !== undefined),
      tally,
      flags,
      io,
    )
    if (failure !== undefined) throw failure
  }
  const note = (error: unknown) => {
    failure ??= error
    return undefined
  }
  try {
    for await (const line of readTextLines(data, io)) {
      const { key, value, ...options } = parseMemory(line)
      const inserted = atLine(line.where, () => store.insert(key, value, options))
      batch.push(inserted.catch(note))
      await new Promise(setImmediate) // a refusal is known by now, though the disk is not waited for
      throwIfAborted(io.signal)
      if (batch.length >= batchMemories || failure !== undefined) await flush()
    }
  } finally {
    await flush()
  }
}

function tell(ids: readonly Id[], tally: { inserted: number }, { json }: Flags, { stdout }: CommandIo): void {
  tally.inserted += ids.length
  if (!json) stdout.write(ids.map(id => `${JSON.stringify({ id })}\n`).join(''))
}
