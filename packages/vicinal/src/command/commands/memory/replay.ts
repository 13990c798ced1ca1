// `vicinal memory replay`: how well a memory learns labeled data online, row by row, and what it costs.

import type { Dataset } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { checkReplay } from '@vicinal/core/internals'
import { type MemoryOptions, MemoryTree, type Replayed, replayMemory } from '@vicinal/core/memory'
import type { MemoryStore } from '@vicinal/server'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../../command-io.ts'
import { refuseTaken } from '../../files/output-file.ts'
import { shortenLog } from '../../files/with-store.ts'
import { addMemoryFlags, type MemoryFlags, toMemoryOptions } from '../../flags/memory-flags.ts'
import { addReadFlags, noteReading, type ReadFlags, toReadOptions } from '../../flags/read-options.ts'
import { wholeNumber } from '../../flags/whole-number.ts'
import { startCost } from '../../reports/running-cost.ts'
import { withProgress } from '../../terminal/progress-bar.ts'
import { formatCount, formatCountOf, formatMemories, formatNumber } from '../../terminal/quantity.ts'
import { replayStages } from '../../terminal/stages.ts'
import { formatTable, oneLine } from '../../terminal/table.ts'

interface Flags extends ReadFlags, MemoryFlags {
  readonly passes: number
  readonly store?: string
}

interface Run {
  readonly dataset: Dataset
  readonly memories: number
  readonly replayed: Replayed
}

const examples = `
Each row is first a query: the labels of the best memory are compared with its own.
Then the memory learns from the reward (1 for the same label, F1 if rows have several
labels) and stores the row. So the first pass measures answers to unseen rows; later
passes leave out a row's own memory. Entropy reduction is in bits, compared with
always answering the most frequent label.

Examples:
  vicinal memory replay train.jsonl
  vicinal memory replay letters.svm --passes 3 --set trees=4
  vicinal memory replay train.jsonl --store learned --json`

export function addMemoryReplay(memory: Command, io: CommandIo): void {
  const command = memory
    .command('replay')
    .description('Run labeled data through a memory, row by row, and measure how well it learns online.')
    .summary('measure how well labeled data is learned online')
    .argument('<data>', 'labeled data file in any supported format, gzipped or not')
    .option('--passes <n>', 'number of passes over the data', wholeNumber(1, 1000), 1)
    .option('--store <store>', 'save the memory in a new store')
    .action((data: string, _flags: unknown, self: Command) => replay(data, self.optsWithGlobals<Flags>(), io))
  addReadFlags(addMemoryFlags(command)).addHelpText('after', examples)
}

async function replay(data: string, flags: Flags, io: CommandIo): Promise<void> {
  const cost = startCost()
  const options = toMemoryOptions(flags)
  if (flags.store !== undefined) await refuseTaken(flags.store, false)
  const run = await withProgress(io, replayStages, async (onProgress): Promise<Run> => {
    const work = { signal: io.signal, onProgress }
    const dataset = await readDataset(data, { ...toReadOptions(flags), ...work })
    checkReplay(dataset) // before a store is made
    return withMemory(options, flags.store, async memory => {
      const replayed = await replayMemory(memory, dataset, { passes: flags.passes, ...work })
      return { dataset, replayed, memories: memory.size }
    })
  })
  noteReading(run.dataset, io)
  if (flags.json) printJson(io, { ...replayJson(run), ...cost() })
  else io.stdout.write(formatReplay(run))
}

/** A memory in this process alone, or in a store that keeps it. */
async function withMemory<T>(
  options: MemoryOptions,
  path: string | undefined,
  use: (memory: MemoryTree | MemoryStore) => Promise<T>,
): Promise<T> {
  if (path === undefined) {
    const tree = MemoryTree.create(options)
    return use(tree).finally(() => tree.free())
  }
  const { MemoryStore } = await import('@vicinal/server')
  const store = await MemoryStore.create(path, options)
  try {
    const result = await use(store)
    await shortenLog(store)
    return result
  } finally {
    await store.close()
  }
}

function replayJson({ dataset, memories, replayed }: Run): object {
  const { passes, singleLabel, micros, unusable } = replayed
  const measure = singleLabel ? 'accuracy' : 'f1'
  return {
    rows: dataset.rows,
    labels: dataset.labels?.columns ?? 0,
    memories,
    unusable,
    passes: passes.map(({ reward, entropyReduction }) => ({
      [measure]: reward,
      ...(singleLabel && { entropyReduction }),
    })),
    micros,
  }
}

function formatReplay({ dataset, memories, replayed }: Run): string {
  const { passes, singleLabel, micros, unusable } = replayed
  const facts = `${formatCountOf(dataset.rows, 'row')} with ${formatCountOf(dataset.labels?.columns ?? 0, 'label')}`
  const head = ['pass', singleLabel ? 'accuracy' : 'F1', ...(singleLabel ? ['entropy reduction'] : [])]
  const lines = passes.map(({ reward, entropyReduction }, i) => {
    const bits = entropyReduction === null ? '' : `${formatNumber(entropyReduction)} bits`
    return [`${i + 1}`, reward.toFixed(4), ...(singleLabel ? [bits] : [])]
  })
  const times = Object.entries(micros).map(([name, value]) => [name, `${formatNumber(value)} µs`])
  const left = unusable > 0 ? `, ${formatCount(unusable)} skipped: no words or numbers` : ''
  return [
    `${oneLine(dataset.name)}: ${facts}, ${formatMemories(memories)}${left}\n`,
    `progressive validation\n${formatTable([head, ...lines], ['right', 'right', 'right'])}`,
    `time per operation\n${formatTable(times, ['left', 'right'])}`,
  ].join('\n')
}
