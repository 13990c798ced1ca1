// How `vicinal inspect` prints a memory store.

import { type CommandIo, printJson } from '../command-io.ts'
import { withStore } from '../files/with-store.ts'
import { formatOptions } from '../flags/method-options.ts'
import type { GlobalOptions } from '../program.ts'
import { formatBytes, formatCountOf, formatMemories, formatNumber } from '../terminal/quantity.ts'
import { formatTable, oneLine } from '../terminal/table.ts'
import { startCost } from './running-cost.ts'

export async function inspectStore(path: string, { json }: GlobalOptions, io: CommandIo): Promise<void> {
  const cost = startCost()
  await withStore(path, { readOnly: true, signal: io.signal }, async store => {
    const facts = await store.stats()
    const { learner, ...settings } = store.options
    const options = { ...settings, learner: learner.name }
    if (json) return printJson(io, { file: path, kind: 'store', options, ...facts, ...cost() })
    const { memories, features, rewards, operations, logged, snapshotBytes, trees } = facts
    const general = [
      ['store', `${formatMemories(memories)} of ${formatCountOf(features, 'feature')}`],
      ['changed', `${formatCountOf(operations, 'time')}, ${formatCountOf(rewards, 'reward')} learned from`],
      ['on disk', `a snapshot of ${formatBytes(snapshotBytes)}, and ${formatCountOf(logged, 'operation')} since`],
    ]
    const shapes = trees.map(({ leaves, depth, meanDepth }, i) => [
      `tree ${i}`,
      `${formatCountOf(leaves, 'leaf').replace('leafs', 'leaves')}, depth ${depth}, ${formatNumber(meanDepth)} on average`,
    ])
    io.stdout.write(`${oneLine(path)}\n${formatTable([...general, ...shapes])}\n`)
    io.stdout.write(`options\n${formatTable(formatOptions(options))}`)
  })
}
