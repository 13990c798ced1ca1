// The effect of the margin: node tools/run.mjs bench/margin.ts --part letter|names|net|picture --data <folder> [--seed 1]
// letter: 16,000 rows to learn from and 4,000 to ask about, in the order of the file; the error and the rows dropped by every gap, and
// the error of 1-NN on what condensing leaves. names: a seeded split of 80 to 20, edit distance, beside plain 1-NN. net: distances
// computed per query at growing sizes. picture: rows kept and dropped in the plane, as docs/images/margin.svg. One thread.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { itemsOf, TextRows } from '@vicinal/core/internals'
import {
  type CondenseOptions,
  condense,
  type Dataset,
  DenseMatrix,
  ExactIndex,
  LabelMatrix,
  MarginClassifier,
  type MarginOptions,
  NetIndex,
  Random,
  riskCoverage,
  selectRows,
} from 'vicinal'
import { keepResult, short } from './measure.ts'

const { values } = parseArgs({
  options: { part: { type: 'string' }, data: { type: 'string', default: '' }, seed: { type: 'string', default: '1' } },
})
const seed = Number(values.seed)
const parts: Readonly<Record<string, () => Promise<void>>> = { letter, names, net, picture }
const part = parts[values.part ?? '']
if (!part) throw new Error(`give one of ${Object.keys(parts).join(', ')} with --part`)
await part()

interface Split {
  readonly training: Dataset
  readonly test: Dataset
}

function readLetter(): Split {
  const lines = readFileSync(join(values.data, 'letter-recognition.data'), 'utf8').trim().split('\n')
  const rows = lines.filter(line => /^[A-Z],/.test(line)).map(line => line.split(','))
  const all: Dataset = {
    ...{ name: 'letter', rows: rows.length },
    features: DenseMatrix.from(rows.map(cells => cells.slice(1).map(Number))),
    labels: LabelMatrix.from(rows.map(([letter]) => [letter!.charCodeAt(0) - 65]), 26), // biome-ignore format: one idea
  }
  return cut(all, Uint32Array.from(rows.keys()), 16_000)
}

function readNames(): Split {
  const files = readdirSync(values.data).filter(file => file.endsWith('.txt')).sort() // biome-ignore format: one idea
  const named = files.flatMap((file, label) => {
    const lines = readFileSync(join(values.data, file), 'utf8').split('\n')
    return lines.map(line => line.trim()).filter(line => line !== '').map(text => ({ text, label })) // biome-ignore format: one idea
  })
  const all: Dataset = {
    ...{ name: 'names-by-language', rows: named.length, texts: named.map(({ text }) => text) },
    labels: LabelMatrix.from(named.map(({ label }) => [label]), files.length), // biome-ignore format: one idea
    labelNames: files.map(file => basename(file, '.txt')),
  }
  const order = new Random(seed).shuffle(Uint32Array.from({ length: all.rows }, (_, row) => row))
  return cut(all, order, Math.floor(0.8 * all.rows))
}

function cut(all: Dataset, order: Uint32Array, at: number): Split {
  return { training: selectRows(all, order.subarray(0, at)), test: selectRows(all, order.subarray(at)) }
}

/** The best label of each item, by the clock and by the processor: other work on the machine adds to the first alone. */
async function errorOf(model: MarginClassifier, test: Dataset) {
  const [begin, before] = [performance.now(), process.cpuUsage()]
  const { labels, counts } = await model.predictBatch(itemsOf(test, model), { top: 1 })
  const [millis, cpu] = [performance.now() - begin, process.cpuUsage(before)]
  const wrong = labels.filter((label, i) => counts[i] === 0 || label !== test.labels!.row(i)[0]).length
  return {
    error: short(wrong / test.rows),
    millisPerItem: short(millis / test.rows),
    cpuMillisPerItem: short((cpu.user + cpu.system) / 1000 / test.rows),
  }
}

/** Plain 1-NN by ExactIndex, the first of equally near rows. */
async function exactError(training: Dataset, test: Dataset): Promise<number> {
  const index = await ExactIndex.fit(training.features as DenseMatrix)
  const { rows } = await index.searchBatch(test.features as DenseMatrix, { k: 1 })
  index.free()
  return short(wrongShare(training, test, rows))
}

function wrongShare(training: Dataset, test: Dataset, nearest: Uint32Array): number {
  const wrong = nearest.filter((row, i) => training.labels!.row(row)[0] !== test.labels!.row(i)[0])
  return wrong.length / test.rows
}

async function letter(): Promise<void> {
  const { training, test } = readLetter()
  const plain = await exactError(training, test)
  const begin = performance.now()
  const model = await MarginClassifier.fit(training)
  const fitSeconds = short((performance.now() - begin) / 1000)
  const { tried, ...report } = model.report
  const curve = []
  for (const { gap, dropped, error } of tried) {
    const measured = await errorOf(await MarginClassifier.fit(training, { gap }), test)
    curve.push({ gap: short(gap), dropped, heldOutError: short(error ?? Number.NaN), ...measured })
    process.stderr.write(`${JSON.stringify(curve.at(-1))}\n`)
  }
  const condensed = []
  const ways: CondenseOptions[] = [{ keep: 'separated' }, ...[0.5, 0.4, 0.3, 0.2].map(share => ({ share })), { keep: 'net', share: 0.5 }] // biome-ignore format: one list
  for (const options of ways) {
    const left = await condense(training, { ...options, gap: report.gap })
    const error = await exactError(left.dataset, test)
    condensed.push({ keep: 'border', ...options, rows: left.rows.length, margin: short(left.margin), error })
    process.stderr.write(`${JSON.stringify(condensed.at(-1))}\n`)
  }
  const chosen = await errorOf(model, test)
  keepResult('margin-letter', {
    rows: training.rows,
    test: test.rows,
    plain,
    fitSeconds,
    chosen,
    report,
    curve,
    condensed,
  })
}

async function names(): Promise<void> {
  const { training, test } = readNames()
  const measured = []
  for (const distance of ['levenshtein', 'levenshtein-normalized']) {
    const index = await NetIndex.fit(new TextRows(training.texts!), { metric: distance })
    const { rows } = await index.searchBatch(new TextRows(test.texts!), { k: 1 })
    const plain = short(wrongShare(training, test, rows))
    const voting = await errorOf(await MarginClassifier.fit(training, { distance, gap: 0 }), test)
    const begin = performance.now()
    const model = await MarginClassifier.fit(training, { distance })
    const fitSeconds = short((performance.now() - begin) / 1000)
    const exact = await errorOf(model, test)
    const contents = model.contents()
    const tolerant = MarginClassifier.fromContents({ ...contents, options: { ...contents.options, tolerance: 0.1 } })
    const { tried, ...report } = model.report
    measured.push({
      ...{ distance, plain, voting, margin: { ...exact, tolerance: 0 }, tolerant: { ...(await errorOf(tolerant, test)), tolerance: 0.1 } },
      ...{ fitSeconds, peakRssBytes: process.resourceUsage().maxRSS * 1024, report, tried, coverage: await coverageOf(model, test) },
    }) // biome-ignore format: one list
    process.stderr.write(`${JSON.stringify(measured.at(-1))}\n`)
  }
  const name = seed === 1 ? 'margin-names' : `margin-names-seed${seed}`
  keepResult(name, { rows: training.rows, test: test.rows, seed, measured })
}

/** The risk where only the surest are answered: the last point within each share. */
async function coverageOf(model: MarginClassifier, test: Dataset) {
  const { labels, scores, counts } = await model.predictBatch(itemsOf(test, model), { top: 1 })
  const isWrong = (item: number) => counts[item] === 0 || labels[item] !== test.labels!.row(item)[0]
  const points = riskCoverage(scores, isWrong)
  return points.map(({ least, coverage, risk }) => ({ margin: short(2 * least - 1), coverage: short(coverage), risk: short(risk) })).filter((_, i, all) => i % Math.ceil(all.length / 12) === 0 || i === all.length - 1) // biome-ignore format: one list
}

async function net(): Promise<void> {
  const { training, test } = readLetter()
  const queries = (test.features as DenseMatrix).slice(0, 1000)
  const counts = []
  for (const size of [2000, 4000, 8000, 16_000]) {
    const begin = performance.now()
    const index = await NetIndex.fit((training.features as DenseMatrix).slice(0, size))
    const line: Record<string, number> = { rows: size, fitSeconds: short((performance.now() - begin) / 1000) }
    for (const [k, tolerance] of [
      [1, 0],
      [1, 0.1],
      [1, 0.5],
      [10, 0],
    ] as const) {
      // biome-ignore format: one list
      let sum = 0
      for (let i = 0; i < queries.rows; i++) sum += index.searchCandidates(queries.row(i), { k, tolerance })
      line[`k${k}, tolerance ${tolerance}`] = Math.round(sum / queries.rows)
    }
    counts.push({ ...line, dimension: short(index.dimension().mean) })
    process.stderr.write(`${JSON.stringify(counts.at(-1))}\n`)
  }
  keepResult('margin-net', { what: 'distances computed per query, letter, euclidean', queries: queries.rows, counts })
}

async function picture(): Promise<void> {
  const random = new Random(9)
  const points = Array.from({ length: 320 }, (_, i) => {
    const side = i % 2
    const angle = Math.PI * random.float()
    const x = side === 0 ? Math.cos(angle) : 1 - Math.cos(angle)
    const y = side === 0 ? Math.sin(angle) : 0.45 - Math.sin(angle)
    return { x: x + 0.17 * random.normal(), y: y + 0.17 * random.normal(), side }
  })
  const data: Dataset = {
    ...{ name: 'moons', rows: points.length, features: DenseMatrix.from(points.map(({ x, y }) => [x, y])) },
    labels: LabelMatrix.from(points.map(({ side }) => [side]), 2), // biome-ignore format: one idea
  }
  const options: MarginOptions = { gap: 0.25 }
  const kept = new Set((await condense(data, { ...options, keep: 'separated' })).rows)
  const model = await MarginClassifier.fit(data, options)
  const svg = drawPlane(points, row => kept.has(row), model)
  const folder = join(import.meta.dirname, '..', 'docs', 'images')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'margin.svg'), svg)
}

interface Point {
  readonly x: number
  readonly y: number
  readonly side: number
}

/** Kept rows full, dropped ones hollow, over the margin of the model: the paler, the less sure. */
function drawPlane(points: readonly Point[], isKept: (row: number) => boolean, model: MarginClassifier): string {
  const [scale, step, colors] = [180, 10, ['#1f6fb2', '#c8501e']]
  const toPlane = (pixel: number, shift: number) => pixel / scale - shift
  const cells: string[] = []
  for (let top = 0; top < 420; top += step) {
    for (let left = 0; left < 720; left += step) {
      const at = { indices: Uint32Array.of(0, 1), values: Float32Array.of(toPlane(left + step / 2, 1.5), toPlane(420 - top - step / 2, 0.95)) } // biome-ignore format: one item
      const [best] = model.predict(at, { top: 1 })
      const opacity = Math.max(0, 0.35 * (2 * (best?.score ?? 0.5) - 1))
      cells.push(`<rect x="${left}" y="${top}" width="${step}" height="${step}" fill="${colors[Number(best?.label)]}" opacity="${opacity.toFixed(2)}"/>`) // biome-ignore format: one element
    }
  }
  const dots = points.map(({ x, y, side }, row) => {
    const place = `cx="${((x + 1.5) * scale).toFixed(1)}" cy="${(420 - (y + 0.95) * scale).toFixed(1)}"`
    return `<circle ${place} r="3.5" stroke="${colors[side]}" stroke-width="1.5" fill="${isKept(row) ? colors[side] : 'white'}"/>`
  })
  const title =
    '<title>Two labels in the plane: kept rows are full, dropped ones hollow; the background is the margin</title>'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 420" role="img">${title}\n<rect width="720" height="420" fill="white"/>\n${[...cells, ...dots].join('\n')}\n</svg>\n`
}
