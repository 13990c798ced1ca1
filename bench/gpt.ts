// Quality and cost of GPT and of forests by other growers, with the defaults: node tools/run.mjs bench/gpt.ts --data <folder>
// --part sets: every set (--sets a,b for some); --part readings: what blending, probing and lifting change, chosen on held-out
// training rows; --part ablation: random hyperplanes, fewer trees, no tail threshold; --part growth: time against rows. Each
// measurement is a process of its own, so that memory is its own.

import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type Dataset,
  evaluateClassifier,
  ForestClassifier,
  type ForestClassifierOptions,
  Random,
  selectRows,
} from '@vicinal/core'
import { type LabelSet, loadSet } from './label-sets.ts'
import { keepResult, short } from './measure.ts'

interface Trial {
  readonly set: string
  readonly what: string
  readonly options: ForestClassifierOptions
  /** Of the training rows; all where it is not said. */
  readonly rows?: number
  /** Reading options are tuned on training rows first. */
  readonly tuned?: boolean
}

const sets: readonly LabelSet[] = [
  { name: 'bibtex' },
  { name: 'delicious' },
  { name: 'reuters-modapte90' },
  { name: 'debtags' },
  { name: 'yso-finna-en', testRows: 5000 },
]
/** Trees take minutes each there. */
const fewTrees = { 'yso-finna-en': { trees: 10 } } as Readonly<Record<string, ForestClassifierOptions>>

const parts: Readonly<Record<string, (set: string) => readonly Trial[]>> = {
  sets: set => [{ set, what: 'gpt', options: { ...fewTrees[set] } }],
  readings: set => [{ set, what: 'gpt, tuned', options: { ...fewTrees[set] }, tuned: true }],
  growers: set =>
    (['kd', 'pca', 'classification', 'random-projection'] as const).map(grower => ({
      ...{ set, what: grower, options: { grower } },
    })),
  ablation: set => [
    ...[1, 10, 50].map(trees => ({ set, what: trees === 1 ? '1 tree' : `${trees} trees`, options: { trees } })),
    { set, what: 'random hyperplanes', options: { grower: 'random-projection', density: 1 } },
    { set, what: 'all labels, no tail threshold', options: { tailThreshold: 2 ** 31 } },
    { set, what: 'weighting none', options: { weighting: 'none' } },
    { set, what: 'all rows in every epoch', options: { epochRows: 2 ** 31 } },
    { set, what: 'both, as in the paper', options: { epochRows: 2 ** 31, weighting: 'none' } },
  ],
  growth: set =>
    [10_000, 100_000, undefined].map(rows => ({
      ...{ set, what: 'gpt', options: { trees: 2 } },
      ...(rows && { rows }),
    })),
}

async function measure(folder: string, trial: Trial) {
  const { set, what, rows, tuned } = trial
  const plan = sets.find(({ name }) => name === set)
  if (!plan) throw new Error(`there is no set ${set}`)
  const { train: all, test } = await loadSet(folder, plan)
  const train = rows ? selectRows(all, new Random(3).sample(all.rows, rows).sort()) : all
  const options = tuned ? await tunedReading(train, trial.options) : trial.options
  const begin = performance.now()
  const model = await ForestClassifier.fit(train, options)
  const fitSeconds = short((performance.now() - begin) / 1000)
  const millis: number[] = []
  // Once more than counts: the first round is the compilers'.
  for (let round = 0; round < 4; round++)
    millis.push((await evaluateClassifier(model, test, { threads: 1 })).millisPerItem)
  const { metrics } = await evaluateClassifier(model, test)
  const names = ['p@1', 'p@3', 'p@5', 'psp@1', 'psp@3', 'psp@5', 'microF1'] as const
  const quality = Object.fromEntries(names.map(name => [name, short(metrics[name] ?? Number.NaN)]))
  const modelBytes = await savedBytes(model)
  const peakRssBytes = process.resourceUsage().maxRSS * 1024
  const millisPerItem = short(Math.min(...millis.slice(1)))
  return {
    ...{ set, what, train: train.rows, test: test.rows, trees: model.trees, options, ...quality },
    ...{ fitSeconds, millisPerItem, modelBytes, peakRssBytes },
  }
}

/** What does not change the trees, chosen for P@1 on training rows that are held out. */
async function tunedReading(train: Dataset, options: ForestClassifierOptions): Promise<ForestClassifierOptions> {
  const fixed = { weighting: 'auto', leafSize: 9, ...options } as const
  const { options: found, classifier } = await ForestClassifier.tune(train, { ...fixed, metric: 'p@1' })
  classifier.free()
  return found
}

async function savedBytes(model: ForestClassifier): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'vicinal-bench-'))
  try {
    const path = join(folder, 'model')
    await model.save(path)
    return (await stat(path)).size
  } finally {
    await rm(folder, { recursive: true })
  }
}

const { values } = parseArgs({
  options: { data: { type: 'string' }, sets: { type: 'string' }, part: { type: 'string' }, trial: { type: 'string' } },
})
const { data, part = 'sets' } = values
if (!data) throw new Error('give the folder of the sets with --data')
if (values.trial) console.log(JSON.stringify(await measure(data, JSON.parse(values.trial) as Trial)))
else {
  const plan = parts[part]
  if (!plan) throw new Error(`--part is ${part}, expected one of ${Object.keys(parts).join(', ')}`)
  for (const { name } of sets.filter(({ name }) => !values.sets || values.sets.split(',').includes(name))) {
    const measured = plan(name).map(trial => {
      const args = [process.argv[1] as string, '--data', data, '--trial', JSON.stringify(trial)]
      const child = spawnSync(process.execPath, args, { encoding: 'utf8' })
      if (child.status !== 0) throw new Error(child.stderr)
      return JSON.parse(child.stdout)
    })
    keepResult(`gpt-${part}-${name}`, { measured })
  }
}
