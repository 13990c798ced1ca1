// Quality and cost of the classifiers on the published sets: node tools/run.mjs bench/labels.ts --data <folder of xmc sets>
// Everything is tuned on the training rows alone. Each set runs in a process of its own, so that memory is its own.

import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { type Dataset, evaluateClassifier, LcifClassifier, type LcifOptions, type MetricName } from '@vicinal/core'
import { type LabelSet, loadSet } from './label-sets.ts'
import { keepResult, short } from './measure.ts'

interface SetPlan extends LabelSet {
  /** Measures of predicted sets to tune for, one model each, as paper 003 does. */
  readonly goals: readonly MetricName[]
}

const mulanGoals = ['accuracy', 'microF1', 'macroF1Mulan', 'hammingLoss'] as const
const plans: readonly SetPlan[] = [
  { name: 'medical', goals: mulanGoals },
  { name: 'corel5k', goals: mulanGoals },
  { name: 'bibtex', goals: mulanGoals },
  { name: 'delicious', goals: mulanGoals },
  { name: 'imdb', goals: mulanGoals },
  { name: 'reuters-modapte90', goals: [] },
  { name: 'debtags', goals: [] },
  { name: 'yso-finna-en', goals: [], testRows: 5000 },
]

/** Tunes on the training rows, with some options given, and fits on all of them. */
async function tune(train: Dataset, metric: MetricName, fixed: LcifOptions, scoredRows: number) {
  const begin = performance.now()
  const { classifier, options } = await LcifClassifier.tune(train, { ...fixed, metric, scoredRows })
  return { classifier, options, tuneSeconds: short((performance.now() - begin) / 1000) }
}

/** The ranking measures, tuned for P@1, with a way of weighting features. */
async function rank(train: Dataset, test: Dataset, weighting: 'none' | 'learned') {
  const tuned = await tune(train, 'p@1', { weighting }, test.rows)
  tuned.classifier.free()
  const begin = performance.now()
  const classifier = await LcifClassifier.fit(train, tuned.options)
  const fitSeconds = short((performance.now() - begin) / 1000)
  const { metrics, millisPerItem } = await evaluateClassifier(classifier, test, { threads: 1 })
  classifier.free()
  const names = ['p@1', 'p@3', 'p@5', 'psp@1', 'psp@3', 'psp@5'] as const
  const values = Object.fromEntries(names.map(name => [name, short(metrics[name] ?? Number.NaN)]))
  const { options, tuneSeconds } = tuned
  return { weighting, ...values, millisPerItem: short(millisPerItem), fitSeconds, tuneSeconds, options }
}

/** One measure of predicted sets, tuned for it. */
async function reach(train: Dataset, test: Dataset, metric: MetricName) {
  const { options, classifier, tuneSeconds } = await tune(train, metric, {}, test.rows)
  const { metrics } = await evaluateClassifier(classifier, test)
  classifier.free()
  const value = short((metrics as Record<string, number>)[metric] ?? Number.NaN) // the goals are among the measures
  return { metric, value, tuneSeconds, options }
}

async function measureSet(folder: string, plan: SetPlan) {
  const { train, test } = await loadSet(folder, plan)
  const ranks = [await rank(train, test, 'none'), await rank(train, test, 'learned')]
  const goals = []
  for (const goal of plan.goals) goals.push(await reach(train, test, goal))
  const peakRssBytes = process.resourceUsage().maxRSS * 1024
  return { set: plan.name, train: train.rows, test: test.rows, ranks, goals, peakRssBytes }
}

function runAll(folder: string, chosen: readonly SetPlan[]): void {
  for (const { name } of chosen) {
    const args = [process.argv[1] as string, '--data', folder, '--only', name]
    const child = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (child.status !== 0) throw new Error(child.stderr)
    keepResult(`labels-${name}`, JSON.parse(child.stdout))
  }
}

const { values } = parseArgs({
  options: { data: { type: 'string' }, sets: { type: 'string' }, only: { type: 'string' } },
})
if (!values.data) throw new Error('give the folder of the sets with --data')
const only = plans.find(({ name }) => name === values.only)
if (only) console.log(JSON.stringify(await measureSet(values.data, only)))
else
  runAll(
    values.data,
    plans.filter(({ name }) => !values.sets || values.sets.split(',').includes(name)),
  )
