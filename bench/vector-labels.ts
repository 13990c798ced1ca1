// Labels from dense vectors: how good they are and what they cost, by each method that suits the set; the titles also as texts, to
// compare with. node tools/run.mjs bench/vector-labels.ts --data <folder of letter, fashion-mnist and titles-use512> [--sets letter]
// Every method runs in a process of its own; the result of a set is kept when all of them are done.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type Classifier,
  type Dataset,
  DenseMatrix,
  evaluateClassifier,
  ForestClassifier,
  LabelMatrix,
  LcifClassifier,
  Random,
  selectRows,
} from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { MarginClassifier } from '@vicinal/core/margin'
import { MemoryClassifier } from '@vicinal/core/memory'
import { keepResult, short } from './measure.ts'

interface Parts {
  readonly train: Dataset
  readonly test: Dataset
}

type Fit = (dataset: Dataset) => Promise<Classifier>

const fits: Readonly<Record<string, Fit>> = {
  lcif: dataset => LcifClassifier.fit(dataset),
  kd: dataset => ForestClassifier.fit(dataset, { grower: 'kd' }),
  classification: dataset => ForestClassifier.fit(dataset, { grower: 'classification' }),
  gpt: dataset => ForestClassifier.fit(dataset),
  margin: dataset => MarginClassifier.fit(dataset),
  memory: dataset => MemoryClassifier.fit(dataset),
  'lcif, of the texts': dataset => LcifClassifier.fit(dataset),
}

/** The methods that suit each set: `margin`, `gpt` and `memory` take long with hundreds of columns. */
const sets: Readonly<Record<string, readonly string[]>> = {
  letter: ['lcif', 'kd', 'classification', 'gpt', 'margin', 'memory'],
  'fashion-mnist': ['lcif', 'kd', 'classification'],
  'titles-use512': ['lcif', 'kd', 'lcif, of the texts'],
}
const explained = 200

async function load(folder: string, set: string, asTexts: boolean): Promise<Parts> {
  if (set === 'letter') return letter(folder)
  return set === 'fashion-mnist' ? images(folder) : titles(folder, asTexts)
}

/** The first 16,000 rows to learn from, as is customary. */
function letter(folder: string): Parts {
  const lines = readFileSync(join(folder, 'letter', 'letter-recognition.data'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
  const cells = lines.map(line => line.split(','))
  const all: Dataset = {
    ...{ name: 'letter', rows: cells.length, features: DenseMatrix.from(cells.map(([, ...row]) => row.map(Number))) },
    labels: LabelMatrix.from(cells.map(([name]) => [(name as string).charCodeAt(0) - 65]), 26), // biome-ignore format: one idea
  }
  const rows = Uint32Array.from(cells.keys())
  return { train: selectRows(all, rows.subarray(0, 16_000)), test: selectRows(all, rows.subarray(16_000)) }
}

async function images(folder: string): Promise<Parts> {
  const read = async (part: string): Promise<Dataset> => {
    const path = (what: string) => join(folder, 'fashion-mnist', `${part}-${what}-ubyte.gz`)
    const [{ features, rows }, classes] = [
      await readDataset(path('images-idx3')),
      await readDataset(path('labels-idx1')),
    ]
    if (!features || !classes.labels) throw new Error('no images')
    return { name: part, rows, features, labels: classes.labels }
  }
  return { train: await read('train'), test: await read('t10k') }
}

/** Titles and subjects are in the order of the vectors. */
async function titles(folder: string, asTexts: boolean): Promise<Parts> {
  const read = async (part: string): Promise<Dataset> => {
    const path = (end: string) => join(folder, 'titles-use512', `${part}.${end}`)
    const texts = await readDataset(path('tsv.gz'))
    if (asTexts) return texts
    const { features } = await readDataset(path('npy'))
    const { texts: _, ...labeled } = texts
    return { ...labeled, ...(features && { features }) }
  }
  return { train: await read('train'), test: await read('test') }
}

/** Seconds of all threads, which other work on the machine does not change much. */
async function coreSeconds<T>(work: () => Promise<T> | T): Promise<{ seconds: number; result: T }> {
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return { seconds: (user + system) / 1e6, result }
}

async function measure(folder: string, set: string, method: string) {
  const { train, test } = await load(folder, set, method.endsWith('texts'))
  const make = fits[method]
  if (!make) throw new Error(`no method ${method}`)
  const { seconds: fitSeconds, result: model } = await coreSeconds(() => make(train))
  const { seconds, result } = await coreSeconds(() => evaluateClassifier(model, test))
  const some = selectRows(test, new Random(1).sample(test.rows, Math.min(explained, test.rows)))
  const items = Array.from({ length: some.rows }, (_, i) => some.texts?.[i] ?? (some.features as DenseMatrix).row(i))
  const best = items.map(item => model.predict(item, { top: 1 })[0]?.label)
  const explaining = await coreSeconds(() => {
    for (const [i, item] of items.entries()) if (best[i] !== undefined) model.explain(item, best[i])
  })
  const { distance, scaling } = model.options as { distance?: string; scaling?: string }
  const precisions = [1, 3, 5].map(k => [`p@${k}`, short((result.metrics as Record<string, number>)[`p@${k}`] ?? 0)])
  return {
    ...{ method, ...(distance && { distance }), ...(scaling && { scaling }), ...Object.fromEntries(precisions) },
    ...{ fitSeconds: short(fitSeconds), predictMillis: short((1000 * seconds) / test.rows) },
    explainMillis: short((1000 * explaining.seconds) / items.length),
  }
}

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string' },
    methods: { type: 'string' },
    only: { type: 'string' },
  },
})
const { data } = values
if (!data) throw new Error('give the folder of the sets with --data')
if (values.only) {
  const [set, method] = values.only.split(': ') as [string, string]
  console.log(JSON.stringify(await measure(data, set, method)))
  process.exit()
}
for (const [set, methods] of Object.entries(sets)) {
  if (values.sets && !values.sets.split(',').includes(set)) continue
  const measured = methods.map(method => {
    const args = [process.argv[1] as string, '--data', data, '--only', `${set}: ${method}`]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${set}, ${method}: ${stderr}`)
    process.stderr.write(stdout)
    return JSON.parse(stdout)
  })
  keepResult(`vector-labels-${set}`, { set, measured })
}
