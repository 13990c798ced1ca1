// The flags that choose a method and set its options, and what they mean to the engine.

import { findMethod, methodNames } from '@vicinal/core'
import { type Command, Option } from 'commander'
import { formatValue, parseSettings, settableOptions } from './method-options.ts'
import type { GlobalOptions } from './program.ts'
import { collect } from './read-options.ts'

export interface MethodFlags extends GlobalOptions {
  readonly method: string
  readonly set?: readonly string[]
}

const defaultMethod = 'lcif'
const lineWidth = 78

export function addMethodFlags(command: Command): Command {
  return command
    .addOption(new Option('--method <name>', 'how to label').choices(methodNames()).default(defaultMethod))
    .option('--set <name=value>', 'set an option of the method; repeatable', collect)
    .addHelpText('after', () => `\nOptions of the methods, for --set, with their defaults:\n${listOptions()}`)
}

/** What the flags set, as the method's `fit` and `tune` take it. */
export function toMethodOptions({ method, set = [], threads, seed }: MethodFlags): Record<string, unknown> {
  return {
    ...(seed !== undefined && { seed }),
    ...parseSettings(method, findMethod(method).defaults, set),
    ...(threads !== undefined && { threads }),
  }
}

/** `name=value` of every option, as many on a line as fit. */
function listOptions(): string {
  const lines = ['']
  for (const [name, value] of Object.entries(settableOptions(findMethod(defaultMethod).defaults))) {
    const word = `  ${name}=${formatValue(value)}`
    if (lines.at(-1)!.length + word.length > lineWidth) lines.push('')
    lines.push(lines.pop() + word)
  }
  return lines.join('\n')
}
