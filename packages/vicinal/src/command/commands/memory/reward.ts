// `vicinal memory reward`: tells the store how much a hit of a query helped.

import { EngineError, type JsonObject } from '@vicinal/core'
import type { MemoryKey, Rewarded } from '@vicinal/core/memory'
import type { MemoryStore } from '@vicinal/server'
import { type Command, InvalidArgumentError } from 'commander'
import { type CommandIo, printJson } from '../../command-io.ts'
import { parseFlagJson } from '../../files/json-lines.ts'
import { isJsonObject, keyOf, keyOfFlags } from '../../files/memory-lines.ts'
import { findId, withStore } from '../../files/with-store.ts'
import type { GlobalOptions } from '../../program.ts'

interface Flags extends GlobalOptions {
  readonly hit?: string
  readonly id?: string
  readonly text?: string
  readonly vector?: string
}

const examples = `
Examples:
  vicinal memory reward notes 1 --hit "$(vicinal memory query notes --text "a red door" --k 1)"
  vicinal memory reward notes 0.5 --id d1 --text "a red door"`

export function addMemoryReward(memory: Command, io: CommandIo): void {
  memory
    .command('reward')
    .description('Say how much a memory helped with a query: the store learns from it.')
    .summary('say how much a memory helped')
    .argument('<store>', 'store made by create')
    .argument('<reward>', 'from 0, not at all, to 1', parseReward)
    .option('--hit <json>', 'the hit, as printed by query')
    .option('--id <id>', 'id of the memory, with --text')
    .option('--text <text>', 'text of the query, with --id')
    .option('--vector <json>', 'vector of the query, with --text, if keys have one')
    .addHelpText('after', examples)
    .action((path: string, reward: number, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>()
      checkFlags(flags)
      return withStore(path, { signal: io.signal }, store => giveReward(store, reward, flags, io))
    })
}

async function giveReward(store: MemoryStore, reward: number, flags: Flags, io: CommandIo): Promise<void> {
  const { hit, id = '', text = '', vector } = flags
  const rewarded =
    hit === undefined ? { id: findId(store, id), query: { key: keyOfFlags(text, vector) } } : parseHit(hit)
  await store.update(rewarded, reward)
  const memory = store.get(rewarded.id)
  if (flags.json) printJson(io, { id: rewarded.id, rewards: memory?.rewards, meanReward: memory?.reward })
  else io.stderr.write(`rewarded the memory ${JSON.stringify(rewarded.id)} with ${reward}\n`)
}

function parseHit(json: string): Rewarded {
  const hit = parseFlagJson('--hit', json) as JsonObject | null // checked here and by the memory
  const query = hit?.query
  if (!isJsonObject(query) || hit?.id === undefined) {
    throw new EngineError(
      'INVALID_OPTION',
      '--hit is not a line printed by `vicinal memory query`: "id" or "query" is missing',
    )
  }
  const key: MemoryKey = keyOf(query, { file: '--hit' })
  return { ...hit, query: { ...query, key } } as unknown as Rewarded // the memory checks the rest
}

function checkFlags({ hit, id, text, vector }: Flags): void {
  const named = id !== undefined && text !== undefined
  if (hit !== undefined ? [id, text, vector].every(flag => flag === undefined) : named) return
  throw new EngineError('INVALID_OPTION', 'expected either --hit, or --id and --text')
}

function parseReward(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (value >= 0 && value <= 1) return value
  throw new InvalidArgumentError('Expected a number from 0 to 1.')
}
