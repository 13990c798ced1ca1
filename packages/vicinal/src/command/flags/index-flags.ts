// The flags that choose a kind of index and set its options, and what they mean to the engine. The flags with names of
// their own are short for --set: a kind that has no such option refuses them.

import { findIndexKind, type IndexKind, indexKinds } from '@vicinal/core'
import { netMetrics } from '@vicinal/core/margin'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { GlobalOptions } from '../program.ts'
import { formatValue, parseSettings, settableOptions } from './method-options.ts'
import { collect } from './read-options.ts'
import { wholeNumber } from './whole-number.ts'

export interface IndexFlags extends GlobalOptions {
  readonly kind?: string
  readonly grower?: string
  readonly metric?: string
  readonly targetRecall?: number
  readonly k?: number
  readonly set?: readonly string[]
}

const metrics = [...new Set(['euclidean', 'cosine', 'dot', ...netMetrics])]
const lineWidth = 76

export function addIndexFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--kind <name>', 'kind of index (default: depends on the data, dense or sparse)').choices(
        indexKinds(),
      ),
    )
    .option('--grower <name>', 'how to grow the trees of a forest')
    .addOption(new Option('--metric <name>', 'distance (default: depends on the kind)').choices(metrics))
    .option('--target-recall <share>', 'share of true neighbors that searches should find', share)
    .option('--k <n>', 'number of neighbors that searches will ask for', wholeNumber(1, 10_000))
    .option('--set <name=value>', 'set an option of the kind; repeatable', collect)
    .addHelpText('after', () => `\nOptions for --set, by kind of index, with their defaults:\n${listOptions()}`)
}

/** What the flags set, as the kind's `fit` takes it. */
export function toIndexOptions({ name, defaults }: IndexKind, flags: IndexFlags): Record<string, unknown> {
  const { grower, metric, targetRecall, k, set = [], seed, threads } = flags
  const named = Object.entries({ grower, metric, targetRecall, k }).filter(([, value]) => value !== undefined)
  return {
    // The random seed; absent if the kind has none.
    ...(seed !== undefined && Object.hasOwn(defaults, 'seed') && { seed }),
    ...parseSettings(name, defaults, [...named.map(([option, value]) => `${option}=${value}`), ...set]),
    ...(threads !== undefined && { threads }),
  }
}

function share(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (value > 0 && value <= 0.999_999) return value
  throw new InvalidArgumentError(
    'Expected a number above 0 and at most 0.999999. To find all true neighbors, use --kind exact.',
  )
}

/** The options of each kind behind its name, as many on a line as fit. */
function listOptions(): string {
  const lists = indexKinds().map(name => {
    const options = Object.entries(settableOptions(findIndexKind(name).defaults))
    const words = `${name}: ${options.map(([option, value]) => `${option}=${formatValue(value)}`).join('  ')}`
    return words.match(new RegExp(`.{1,${lineWidth}}(?:\\s+|$)`, 'g'))?.map(line => `  ${line.trimEnd()}`) ?? []
  })
  return lists.flat().join('\n')
}
