// `vicinal memory`: memories in a store on disk, with one small command per operation.

import type { Command } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import { addMemoryBackup, addMemoryRestore } from './backup.ts'
import { addMemoryCheck } from './check.ts'
import { addMemoryCreate } from './create.ts'
import { addMemoryExport } from './export.ts'
import { addMemoryGet } from './get.ts'
import { addMemoryInsert } from './insert.ts'
import { addMemoryList } from './list.ts'
import { addMemoryQuery } from './query.ts'
import { addMemoryRemove } from './remove.ts'
import { addMemoryReplay } from './replay.ts'
import { addMemoryReward } from './reward.ts'

const actions = [
  ...[addMemoryCreate, addMemoryInsert, addMemoryQuery, addMemoryReward, addMemoryRemove],
  ...[addMemoryList, addMemoryGet, addMemoryReplay, addMemoryCheck, addMemoryExport, addMemoryBackup, addMemoryRestore],
]

const examples = `
What a command reports as done is on disk. Only one process at a time can write a
store; queries without --explore, check and export can run at the same time.

Examples:
  vicinal memory create notes
  vicinal memory insert notes --text "the door of the red house" --value '"locked"'
  vicinal memory query notes --text "a red door" > hits.jsonl
  vicinal memory reward notes 1 --hit "$(head -1 hits.jsonl)"
  vicinal memory remove notes 0`

export function addMemory(program: Command, io: CommandIo): void {
  const command = program
    .command('memory')
    .description('Keep memories in a store on disk: find them again, reward what helped, forget on demand.')
    .summary('keep, find, reward and forget memories')
    .helpGroup('Remember:')
    .usage('<command> [options]')
    .addHelpText('after', examples)
  for (const add of actions) add(command, io)
}
