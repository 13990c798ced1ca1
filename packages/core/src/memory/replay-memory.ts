// Runs labeled rows through a memory one after the other, as if they arrived over time: each row is first a query, then
// training data. So the mean loss is measured on rows the memory has not seen (progressive validation).

import { checkDataset, type Dataset } from '../data/dataset.ts'
import { type LabeledItems, labeledItems } from '../data/given/labeled.ts'
import { EngineError, throwIfAborted } from '../errors.ts'
import { constantAccuracy, entropyReduction, ProgressiveValidation } from '../evaluate/online.ts'
import type { Id } from '../ids/id.ts'
import type { LongWork } from '../long-work.ts'
import type { LabelMatrix } from '../matrix/label-matrix.ts'
import {
  checkedLater,
  checkFunction,
  checkObject,
  checkOptions,
  checkWhole,
  optionTable,
  workChecks,
} from '../options.ts'
import type { Json } from '../store/json.ts'
import type { LearnOptions } from './call-options.ts'
import { setReward } from './learning/set-reward.ts'
import type { MemoryKey } from './memory-key.ts'
import type { Hit, MemoryQueryOptions } from './memory-query.ts'

/** A memory tree or a store. Changes apply at once; a store may write them to disk later. */
export interface ReplayedMemory {
  /** As `MemoryTree.query`. */
  query(key: MemoryKey, options: MemoryQueryOptions): Hit[]
  /** As `MemoryTree.learn`. */
  learn(key: MemoryKey, rewardOf: (value: Json, id: Id) => number, options?: LearnOptions): unknown
  /** As `MemoryTree.insert`. */
  insert(key: MemoryKey, value: Json): Id | Promise<Id>
}

/** Options of `replayMemory`. */
export interface ReplayOptions extends LongWork {
  /** Number of passes over the rows; the first one inserts them. Default 1. */
  readonly passes?: number
}

/** What `replayMemory` measured. */
export interface Replayed {
  /** The mean reward of the best memory, per pass. If rows have one label, that is the accuracy. */
  readonly passes: readonly { readonly reward: number; readonly entropyReduction: number | null }[]
  /** Whether every row has one label. */
  readonly singleLabel: boolean
  /** Microseconds per operation. */
  readonly micros: Readonly<Record<'query' | 'learn' | 'insert', number>>
  /** Rows without a word or a number to be found by. */
  readonly unusable: number
}

interface ReplayedRow {
  readonly key: MemoryKey
  /** Of its labels. */
  readonly numbers: Uint32Array
  readonly labels: readonly (string | number)[]
  /** Of its memory, from the first pass on. */
  id: Id | undefined
}

const replayOptions = optionTable<ReplayOptions>({ passes: checkedLater, ...workChecks })

/** Rows between two looks at the bar and at Ctrl-C. */
const batchRows = 256

/** Runs labeled items (anything classifiers learn from) through `memory`, in order. A memory's value is the list of its row's labels. */
export async function replayMemory(
  memory: ReplayedMemory,
  items: LabeledItems,
  options: ReplayOptions = {},
): Promise<Replayed> {
  checkOptions(options, replayOptions)
  const { passes = 1, ...work } = options
  checkWhole('passes', passes, 1, 1e6)
  checkObject('memory', memory, 'a memory')
  for (const part of ['query', 'learn', 'insert'] as const) checkFunction(`memory.${part}`, memory[part])
  return replayRows(rowsOf(labeledItems(items)), memory, passes, work)
}

async function replayRows(
  rows: readonly ReplayedRow[],
  memory: ReplayedMemory,
  count: number,
  work: LongWork,
): Promise<Replayed> {
  const singleLabel = rows.every(({ labels }) => labels.length === 1)
  const baseline = singleLabel ? constantAccuracy(rows.map(({ numbers: [label = 0] }) => label)) : undefined
  const clock = new Clock()
  const passes: Replayed['passes'][number][] = []
  const pending: unknown[] = []
  let unusable = 0
  for (let pass = 0; pass < count; pass++) {
    const rewards = new ProgressiveValidation()
    for (const [i, row] of rows.entries()) {
      if (i % batchRows === 0) await breathe(pending, pass * rows.length + i, count * rows.length, work)
      const reward = await step(row, memory, clock, pending)
      if (reward === undefined) unusable += pass === 0 ? 1 : 0
      else rewards.add(reward)
    }
    await Promise.all(pending.splice(0))
    const reward = rewards.mean ?? 0
    passes.push({
      reward,
      entropyReduction: baseline === undefined ? null : finite(entropyReduction(reward, baseline)),
    })
  }
  return { passes, singleLabel, micros: clock.micros(), unusable }
}

/** Query, learn, insert; the reward of the best memory, or undefined where the row can be no key. */
async function step(row: ReplayedRow, memory: ReplayedMemory, clock: Clock, pending: unknown[]) {
  const { key, labels, id } = row
  const rewardOf = (value: Json) => setReward(labels, Array.isArray(value) ? value : [])
  const hits = await unlessUnusable(async () => {
    const other = id === undefined ? {} : { filter: (_: Json, found: Id) => found !== id }
    const hits = clock.time('query', () => memory.query(key, { k: 1, ...other }))
    const learned = clock.time('learn', () => memory.learn(key, rewardOf, id === undefined ? {} : { except: id }))
    if (hits.length > 0) pending.push(learned)
    else await learned // which refuses a key without features; a query only finds nothing
    return hits
  })
  if (!hits) return undefined
  if (id === undefined) {
    const inserted = clock.time('insert', () => memory.insert(key, [...labels]))
    pending.push(remember(row, inserted))
  }
  return hits[0] ? rewardOf(hits[0].value) : 0
}

async function remember(row: ReplayedRow, id: Id | Promise<Id>): Promise<void> {
  row.id = await id
}

async function unlessUnusable<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof EngineError && error.code === 'BAD_DATA') return undefined
    throw error
  }
}

/** Refuses data that cannot be replayed. */
export function checkReplay(dataset: Dataset): void {
  const { name, rows, texts, features, labels } = checkDataset(dataset)
  if (!labels || rows === 0) {
    throw new EngineError('EMPTY_DATA', `${name} has no rows with labels to replay`, {
      hint: 'Name the label column with `labelColumn`.',
    })
  }
  if (!texts && !features) throw new EngineError('EMPTY_DATA', `${name} has neither texts nor vectors`)
}

function rowsOf(dataset: Dataset): ReplayedRow[] {
  checkReplay(dataset)
  const { rows, texts, features, labelNames } = dataset
  const labels = dataset.labels as LabelMatrix // checked
  return Array.from({ length: rows }, (_, i) => ({
    key: texts?.[i] ?? features?.row(i) ?? '',
    numbers: labels.row(i),
    labels: Array.from(labels.row(i), label => labelNames?.[label] ?? label),
    id: undefined,
  }))
}

async function breathe(
  pending: unknown[],
  done: number,
  total: number,
  { signal, onProgress }: LongWork,
): Promise<void> {
  onProgress?.({ what: 'replaying', done, total })
  await Promise.all(pending.splice(0))
  await new Promise(resolve => setTimeout(resolve, 0))
  throwIfAborted(signal)
}

/** JSON has no infinity: nothing was right, and no number says how much was lost. */
function finite(bits: number): number | null {
  return Number.isFinite(bits) ? bits : null
}

class Clock {
  readonly #spent = { query: 0, learn: 0, insert: 0 }
  readonly #calls = { query: 0, learn: 0, insert: 0 }

  time<T>(what: keyof Replayed['micros'], work: () => T): T {
    const start = performance.now()
    const result = work()
    this.#spent[what] += performance.now() - start
    this.#calls[what]++
    return result
  }

  micros(): Replayed['micros'] {
    const mean = (what: keyof Replayed['micros']) => (1000 * this.#spent[what]) / Math.max(1, this.#calls[what])
    return { query: mean('query'), learn: mean('learn'), insert: mean('insert') }
  }
}
