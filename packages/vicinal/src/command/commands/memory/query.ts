// `vicinal memory query`: the best memories for a text, or for every line of a file or of stdin, as lines of JSON.

import { EngineError, type Json } from '@vicinal/core'
import { type MemoryKey, type MemoryQueryOptions, queryDefaults } from '@vicinal/core/memory'
import type { MemoryStore } from '@vicinal/server'
import { type Command, InvalidArgumentError } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import { parseObject, readTextLines, type TextLine } from '../../files/json-lines.ts'
import { atLine, keyOf, keyOfFlags } from '../../files/memory-lines.ts'
import { withStore } from '../../files/with-store.ts'
import { collect } from '../../flags/read-options.ts'
import { wholeNumber } from '../../flags/whole-number.ts'
import type { GlobalOptions } from '../../program.ts'
import { Turns } from '../../terminal/turns.ts'

interface Flags extends GlobalOptions {
  readonly text?: string
  readonly vector?: string
  readonly k: number
  readonly minScore: number
  readonly probes: number
  readonly explore: number
  readonly namespace?: string
  readonly where?: readonly string[]
}

const examples = `
Prints one JSON line per hit, best first, with or without --json. \`memory reward\`
takes such a line:
  {"id": 0, "value": "locked", "text": "the door of the red house", "createdAt": 1790000000000,
   "reward": null, "rewards": 0, "score": 0.71, "support": 0, "distance": 0.6,
   "query": {"key": "a red door"}}
Each line of data is a text or, if the first line begins with {, a JSON object
with "text", "text" and "vector", or "key", as for insert. With --explore the
store is opened for writing, because exploring advances its random numbers.

Examples:
  vicinal memory query notes --text "a red door"
  vicinal memory query notes --text "a red door" --k 10 --min-score 0.5
  vicinal memory query notes questions.txt --where kind=door --where open=false
  echo "a red door" | vicinal memory query notes - --explore 0.1`

export function addMemoryQuery(memory: Command, io: CommandIo): void {
  memory
    .command('query')
    .description('Find the best memories, best first, as lines of JSON.')
    .summary('find the best memories')
    .argument('<store>', 'store made by create')
    .argument('[queries]', 'file of texts or JSON lines, gzipped or not, or - for stdin')
    .option('--text <text>', 'what to look for')
    .option('--vector <json>', 'the vector of the text, as a JSON array, if keys have one')
    .option('--k <n>', 'most memories to return', wholeNumber(1, 10_000), queryDefaults.k)
    .option('--min-score <score>', 'only memories with this score or more', share, queryDefaults.minScore)
    .option('--probes <n>', 'extra leaves to search in each tree', wholeNumber(0, 1000), queryDefaults.probes)
    .option('--explore <share>', 'probability of exploring, to learn from the reward', share, queryDefaults.explore)
    .option('--namespace <name>', 'only memories that were inserted with this namespace')
    .option('--where <field=value>', 'only memories whose value has this field; repeatable', collect)
    .addHelpText('after', examples)
    .action((path: string, queries: string | undefined, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>()
      const options = toQueryOptions(flags, queries)
      return withStore(path, { readOnly: flags.explore === 0, signal: io.signal }, store =>
        query(store, queries, flags, options, io),
      )
    })
}

function toQueryOptions(
  { text, vector, k, minScore, probes, explore, namespace, where = [] }: Flags,
  queries?: string,
): MemoryQueryOptions {
  if ((text === undefined) === (queries === undefined) || (vector !== undefined && text === undefined)) {
    throw new EngineError('INVALID_OPTION', 'expected either a file of queries, or --text')
  }
  const conditions = where.map(cut)
  const filter = (value: Json) => conditions.every(([field, wanted]) => hasField(value, field, wanted))
  const scope = { ...(namespace !== undefined && { namespace }), ...(conditions.length > 0 && { filter }) }
  return { k, minScore, probes, explore, ...scope }
}

async function query(
  store: MemoryStore,
  queries: string | undefined,
  { text = '', vector }: Flags,
  options: MemoryQueryOptions,
  io: CommandIo,
): Promise<void> {
  const answer = (key: MemoryKey) => {
    const lines = store.query(key, options).map(hit => `${JSON.stringify(hit)}\n`)
    io.stdout.write(lines.join(''))
  }
  if (queries === undefined) return answer(keyOfFlags(text, vector))
  let areObjects: boolean | undefined
  const turns = new Turns(io.signal)
  for await (const line of readTextLines(queries, io)) {
    await turns.rest()
    areObjects ??= line.text.startsWith('{')
    await atLine(line.where, async () => answer(areObjects ? keyOfLine(line) : line.text))
  }
}

/** As plain arrays, which JSON shows as such. */
function keyOfLine(line: TextLine): MemoryKey {
  const key = keyOf(parseObject(line, '{"text": "…"}'), line.where)
  if (typeof key === 'string' || !('indices' in key)) return key
  // A row of plain arrays is as good as one of typed ones.
  return { indices: Array.from(key.indices), values: Array.from(key.values) } as unknown as MemoryKey
}

function cut(condition: string): [field: string, wanted: string] {
  const at = condition.indexOf('=')
  if (at > 0) return [condition.slice(0, at), condition.slice(at + 1)]
  throw new EngineError('INVALID_OPTION', `--where ${condition} has no value, expected field=value`)
}

/** Whether a value is an object with this field, as a text or as JSON. */
function hasField(value: Json, field: string, wanted: string): boolean {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return false
  const found: unknown = Reflect.get(value, field)
  return found === wanted || JSON.stringify(found) === wanted
}

function share(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (value >= 0 && value <= 1) return value
  throw new InvalidArgumentError('Expected a number from 0 to 1.')
}
