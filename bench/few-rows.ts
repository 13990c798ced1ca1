// The default weighting of LCIF on few rows: P@1 without weights, with learned ones, and with the default, which
// chooses. Random parts of the training rows, three of each size: node tools/run.mjs bench/few-rows.ts --data <folder of xmc sets>
// Sets run one after the other, each in a process of its own; the result is kept after every set.

import { type Dataset, evaluateClassifier, LcifClassifier, Random, selectRows } from '@vicinal/core'
import { loadSet } from './label-sets.ts'
import { eachSet, short } from './measure.ts'

const sets = ['bibtex', 'clinc150', 'corel5k', 'debtags', 'delicious', 'imdb', 'reuters-modapte90']
const sizes = [300, 1000, 3000]
const draws = [1, 2, 3]
const testRows = 1500
const weightings = ['none', 'learned', 'auto'] as const
type Weighting = (typeof weightings)[number]

interface Precision {
  /** The weighting that was fitted with. */
  readonly chosen: string
  readonly value: number
}

async function precision(train: Dataset, test: Dataset, weighting: Weighting, seed: number): Promise<Precision> {
  // Thresholds are for sets; rankings need none.
  const classifier = await LcifClassifier.fit(train, { weighting, seed, threshold: 0.5, threads: 1 })
  const { metrics } = await evaluateClassifier(classifier, test, { threads: 1 })
  const chosen = classifier.options.weighting as string
  classifier.free()
  return { chosen, value: metrics['p@1'] ?? Number.NaN }
}

async function measureSize(train: Dataset, test: Dataset, rows: number) {
  const lines: Precision[][] = []
  for (const draw of draws) {
    const part = selectRows(train, new Random(100 + draw).sample(train.rows, rows))
    const values: Precision[] = []
    for (const weighting of weightings) values.push(await precision(part, test, weighting, draw))
    lines.push(values)
  }
  const means = weightings.map((name, w) => {
    const sum = lines.reduce((total, line) => total + (line[w]?.value ?? Number.NaN), 0)
    return [name, short(sum / draws.length)]
  })
  return { rows, ...Object.fromEntries(means), chosen: lines.map(line => line.at(-1)?.chosen) }
}

async function measureSet(folder: string, name: string) {
  const { train, test: all } = await loadSet(folder, { name })
  const test = all.rows > testRows ? selectRows(all, new Random(1).sample(all.rows, testRows)) : all
  const measured = []
  for (const rows of sizes) measured.push(await measureSize(train, test, rows))
  return { set: name, test: test.rows, measured }
}

await eachSet('few-rows', sets, measureSet)
