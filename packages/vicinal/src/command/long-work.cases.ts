// Every command with enough work for a few seconds at least, on data made here: for the test of Ctrl-C.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DenseMatrix, Random } from '@vicinal/core'
import { writeDataset } from '@vicinal/core/data'
import { vicinal } from './test-run.ts'

export interface LongCommand {
  readonly name: string
  readonly argv: readonly string[]
  /** The file it would write. */
  readonly out?: string
  /** When to interrupt it, in milliseconds of processor time, if it is over soon. */
  readonly short?: number
  /** The folder for changes that it makes before anything else, and keeps however it ends. */
  readonly keeps?: string
  /** What it adds to the message of an interrupted run. */
  readonly hint?: RegExp
}

/** Words as often as in texts: the n-th of them with a probability of about 1/n. */
function sentence(random: Random, topic: number, words: number): string {
  const word = () => Math.floor(20_000 ** random.float())
  return Array.from({ length: words }, (_, i) => (i < 3 ? `topic${topic}x${random.below(20)}` : `w${word()}`)).join(' ')
}

function texts(rows: number, labels: number): string {
  const random = new Random(1)
  const line = () => {
    const topic = random.below(labels)
    return `${sentence(random, topic, 12)}\tl${topic} l${random.below(labels)}\n`
  }
  return Array.from({ length: rows }, line).join('')
}

function memories(rows: number): string {
  const random = new Random(2)
  const line = (_: unknown, i: number) => `${JSON.stringify({ text: sentence(random, i % 500, 12), value: i })}\n`
  return Array.from({ length: rows }, line).join('')
}

function documents(rows: number): string {
  const random = new Random(7)
  const line = (_: unknown, i: number) =>
    `${JSON.stringify({ id: `d${i}`, title: sentence(random, i % 500, 12), year: 1900 + (i % 120) })}\n`
  return Array.from({ length: rows }, line).join('')
}

function names(rows: number): string {
  const random = new Random(3)
  const letter = () => String.fromCharCode(97 + random.below(26))
  return Array.from({ length: rows }, () => `${Array.from({ length: 8 + random.below(12) }, letter).join('')}\n`).join(
    '',
  )
}

function sparse(rows: number): string {
  const random = new Random(4)
  const line = () => {
    const features = [...new Set(Array.from({ length: 60 }, () => 1 + Math.floor(30_000 ** random.float())))]
    const pairs = features.sort((a, b) => a - b).map(feature => `${feature}:${(1 + random.float()).toFixed(3)}`)
    return `${random.below(50)} ${pairs.join(' ')}\n`
  }
  return Array.from({ length: rows }, line).join('')
}

function dense(rows: number, columns: number): DenseMatrix {
  const random = new Random(5)
  const centers = Array.from({ length: 40 }, () => Array.from({ length: columns }, () => 3 * random.normal()))
  const values = new Float32Array(rows * columns)
  for (let row = 0; row < rows; row++) {
    const center = centers[random.below(centers.length)] ?? []
    for (let j = 0; j < columns; j++) values[row * columns + j] = (center[j] ?? 0) + random.normal()
  }
  return new DenseMatrix(rows, columns, values)
}

/** A table of numbers with a class, for classifiers of vectors by distance. */
function table(rows: number): string {
  const random = new Random(6)
  const cells = (kind: number) => Array.from({ length: 16 }, () => (kind + random.normal()).toFixed(2)).join(',')
  const line = (_: unknown, i: number) => `c${i % 26},${cells(i % 26)}\n`
  const head = `class,${Array.from({ length: 16 }, (_, i) => `x${i}`).join(',')}\n`
  return head + Array.from({ length: rows }, line).join('')
}

/** Writes the data, models and indexes that the commands need into `folder`. */
export async function makeLongData(folder: string): Promise<void> {
  const at = (name: string) => join(folder, name)
  writeFileSync(at('texts.tsv'), texts(60_000, 300))
  writeFileSync(at('more-texts.tsv'), texts(400_000, 300))
  writeFileSync(at('memories.jsonl'), memories(100_000))
  writeFileSync(at('documents.jsonl'), documents(200_000))
  writeFileSync(at('names.lines'), names(30_000))
  writeFileSync(at('sparse.svm'), sparse(60_000))
  writeFileSync(at('more-sparse.svm'), sparse(60_000).repeat(4))
  writeFileSync(at('table.csv'), table(40_000))
  const vectors = dense(60_000, 256)
  await writeDataset({ name: 'dense', rows: vectors.rows, features: vectors }, at('dense.npy'))
  const more = dense(400_000, 256)
  await writeDataset({ name: 'dense', rows: more.rows, features: more }, at('more-dense.npy'))
  const some = vectors.slice(0, 20_000)
  await writeDataset({ name: 'dense', rows: some.rows, features: some }, at('queries.npy'))
  await prepare(at)
}

/** What commands start from: models, indexes and a store. */
async function prepare(at: (name: string) => string): Promise<void> {
  const made = [
    ['train', at('texts.tsv'), '--out', at('a.model'), '--set', 'weighting=none'],
    ['index', at('dense.npy'), '--out', at('exact.index'), '--kind', 'exact'],
    ['index', at('queries.npy'), '--out', at('forest.index'), '--kind', 'forest'],
    ['index', at('sparse.svm'), '--out', at('inverted.index'), '--kind', 'inverted'],
    ['index', at('documents.jsonl'), '--out', at('a.collection')],
    ['memory', 'replay', at('texts.tsv'), '--store', at('full')],
    ['memory', 'backup', at('full'), at('full.backup')],
    ...['a', 'b'].map(name => ['memory', 'create', at(name)]),
  ]
  for (const argv of made) {
    const { code, stderr } = await vicinal(argv)
    if (code !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`)
  }
}

/** The commands, on the data in `folder`. */
export function listLongCommands(folder: string): readonly LongCommand[] {
  const at = (name: string) => join(folder, name)
  const out = at('new.out')
  const changes = 'a.collection.changes'
  const training = (method: string, data: string, ...settings: string[]) => {
    return { name: `train ${method}`, argv: ['train', at(data), '--method', method, '--out', out, ...settings], out }
  }
  const tuning = (method: string, data: string) => {
    return { name: `tune ${method}`, argv: ['tune', at(data), '--method', method, '--out', out], out }
  }
  const indexing = (kind: string, data: string, ...settings: string[]) => {
    return { name: `index ${kind}`, argv: ['index', at(data), '--kind', kind, '--out', out, ...settings], out }
  }
  const plain = (...argv: string[]) => ({ name: argv[0] === 'memory' ? `memory ${argv[1]}` : `${argv[0]}`, argv })
  return [
    training('lcif', 'texts.tsv', '--set', 'weighting=learned'),
    training('instance', 'more-texts.tsv'),
    training('feature', 'more-texts.tsv'),
    training('gpt', 'texts.tsv'),
    training('forest', 'texts.tsv'),
    training('memory', 'texts.tsv'),
    training('margin', 'table.csv'),
    tuning('lcif', 'texts.tsv'),
    tuning('gpt', 'texts.tsv'),
    tuning('memory', 'texts.tsv'),
    tuning('margin', 'table.csv'),
    plain('evaluate', at('a.model'), at('more-texts.tsv')),
    plain('predict', at('a.model'), at('more-texts.tsv')),
    { ...plain('predict', at('a.model'), at('texts.tsv'), '--explain'), name: 'predict --explain' },
    indexing('forest', 'dense.npy', '--target-recall', '0.99'),
    { ...indexing('exact', 'more-dense.npy'), short: 700 },
    { ...indexing('inverted', 'more-sparse.svm'), short: 900 },
    indexing('sparse-forest', 'sparse.svm', '--set', 'trees=200'),
    indexing('net', 'names.lines', '--metric', 'levenshtein'),
    { ...plain('search', at('exact.index'), at('queries.npy')), name: 'search exact' },
    { ...plain('search', at('forest.index'), at('dense.npy')), name: 'search forest' },
    { ...plain('search', at('inverted.index'), at('sparse.svm')), name: 'search inverted' },
    plain('curve', at('forest.index'), at('dense.npy')),
    plain('memory', 'replay', at('texts.tsv'), '--passes', '5'),
    {
      ...plain('memory', 'insert', at('a'), at('memories.jsonl')),
      hint: /\n {2}hint: [\d,]+ memories were stored before that\.$/,
    },
    plain('memory', 'query', at('full'), at('more-texts.tsv')),
    { ...plain('memory', 'export', at('full')), short: 700 },
    { ...plain('memory', 'backup', at('full'), at('new.backup')), short: 700 },
    { ...plain('memory', 'restore', at('full.backup'), at('new')), short: 700 },
    { ...plain('memory', 'list', at('full')), short: 700 },
    { name: 'index documents', argv: ['index', at('documents.jsonl'), '--out', at('new.collection')] },
    { ...plain('add', at('a.collection'), at('documents.jsonl')), short: 1500 },
    { ...plain('remove', at('a.collection'), 'd7'), short: 900 },
    { ...plain('serve', at('a.collection'), at('a.model'), at('full'), '--port', '0'), short: 700, keeps: changes },
    { ...plain('mcp', at('a.collection'), at('a.model'), at('full')), short: 700, keeps: changes },
    plain('site', at('a.model'), '--test', at('more-texts.tsv'), '--out', at('site')),
    { ...plain('memory', 'check', at('full')), short: 900 },
    {
      name: 'convert',
      argv: ['convert', at('more-texts.tsv'), at('new.jsonl.gz')],
      out: at('new.jsonl.gz'),
      short: 900,
    },
    { ...plain('inspect', at('more-sparse.svm')), short: 900 },
    { ...plain('demo'), short: 1000 },
  ]
}
