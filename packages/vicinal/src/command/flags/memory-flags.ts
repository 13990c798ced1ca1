// The flags that set the options of a memory, and the engine options they stand for.

import { type MemoryOptions, memoryDefaults } from '@vicinal/core/memory'
import type { Command } from 'commander'
import type { GlobalOptions } from '../program.ts'
import { formatValue, parseSettings, settableOptions } from './method-options.ts'
import { collect } from './read-options.ts'

export interface MemoryFlags extends GlobalOptions {
  readonly set?: readonly string[]
}

const lineWidth = 76

export function addMemoryFlags(command: Command): Command {
  return command
    .option('--set <name=value>', 'set an option of the memory; repeatable', collect)
    .addHelpText('after', () => `\nOptions for --set, with their defaults:\n${listOptions()}`)
}

/** What the flags set; the memory checks it. */
export function toMemoryOptions({ set = [], seed }: MemoryFlags): MemoryOptions {
  return { ...(seed !== undefined && { seed }), ...parseSettings('the memory', { ...memoryDefaults }, set) }
}

function listOptions(): string {
  const options = Object.entries(settableOptions({ ...memoryDefaults }))
  const words = options.map(([name, value]) => `${name}=${formatValue(value)}`).join('  ')
  const lines = words.match(new RegExp(`.{1,${lineWidth}}(?:\\s+|$)`, 'g')) ?? []
  return lines.map(line => `  ${line.trimEnd()}`).join('\n')
}
