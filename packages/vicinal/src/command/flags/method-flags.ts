// The flags that choose a method and set its options, and the engine options they stand for.

import { findMethod, methodNames } from '@vicinal/core'
import { growerNames } from '@vicinal/core/internals'
import { type Command, Option } from 'commander'
import type { GlobalOptions } from '../program.ts'
import { formatValue, parseSettings, settableOptions } from './method-options.ts'
import { collect } from './read-options.ts'

export interface MethodFlags extends GlobalOptions {
  readonly method: string
  readonly grower?: string
  readonly set?: readonly string[]
}

const defaultMethod = 'lcif'
const lineWidth = 78
/** Growers that classifiers can use. */
const growers = growerNames.filter(name => !['chronological', 'cells', 'graph'].includes(name))
/** Methods that have the same options, and one of them. */
const described = [
  { methods: 'lcif, instance, feature', first: 'lcif' },
  { methods: 'gpt, forest', first: 'forest' },
  { methods: 'margin', first: 'margin' },
  { methods: 'memory', first: 'memory' },
] as const

export function addMethodFlags(command: Command): Command {
  return command
    .addOption(new Option('--method <name>', 'labeling method').choices(methodNames()).default(defaultMethod))
    .addOption(new Option('--grower <name>', 'how to grow trees, with --method forest').choices(growers))
    .option('--set <name=value>', 'set an option of the method; repeatable', collect)
    .addHelpText(
      'after',
      () => `\nOptions for --set, by method, with their defaults:${described.map(listOptions).join('')}`,
    )
}

/** What the flags set, as the method's `fit` and `tune` take it. */
export function toMethodOptions({ method, grower, set = [], threads, seed }: MethodFlags): Record<string, unknown> {
  const settings = grower === undefined ? set : [...set, `grower=${grower}`]
  return {
    ...(seed !== undefined && { seed }),
    ...parseSettings(method, findMethod(method).defaults, settings),
    ...(threads !== undefined && { threads }),
  }
}

/** `name=value` of every option, as many on a line as fit. */
function listOptions({ methods, first }: (typeof described)[number]): string {
  const lines = [`\n${methods}:`, '']
  for (const [name, value] of Object.entries(settableOptions(findMethod(first).defaults))) {
    const word = `  ${name}=${formatValue(value)}`
    if (lines.at(-1)!.length + word.length > lineWidth) lines.push('')
    lines.push(lines.pop() + word)
  }
  return lines.join('\n')
}
