// ns per unit of every first kernel beside the plain JavaScript loop: npm run bench:kernels
// Each case runs in a process of its own, so that V8 compiles the plain loop for that case's types alone. Random rows are
// new ones in every sample, from a matrix far larger than the cache.

import { spawnSync } from 'node:child_process'
import { Engine, Random } from '@vicinal/core'
import { vectorKernels } from '@vicinal/core/internals'
import { keepResult, measure, short } from './measure.ts'

const engine = new Engine()
const { arena } = engine
const kernels = engine.exactKernels(vectorKernels)
const random = new Random(1)

interface Line {
  readonly kernel: string
  readonly js: number
  readonly wasm: number
  /** How many times faster the kernel is. */
  readonly gain: number
}

function compare(kernel: string, units: number, js: () => void, wasm: () => void): Line {
  const { js: slow = 0, wasm: fast = 0 } = measure(
    [
      { name: 'js', run: js },
      { name: 'wasm', run: wasm },
    ],
    units,
  )
  return { kernel, js: short(slow), wasm: short(fast), gain: short(slow / fast) }
}

// The plain loops a user would write.
function jsDistances(
  l2: boolean,
  query: ArrayLike<number>,
  rows: ArrayLike<number>,
  picked: Uint32Array,
  dims: number,
  out: Float32Array,
): void {
  for (let i = 0; i < picked.length; i++) {
    const start = (picked[i] as number) * dims
    let sum = 0
    if (l2) {
      for (let j = 0; j < dims; j++) {
        const difference = (query[j] as number) - (rows[start + j] as number)
        sum += difference * difference
      }
    } else {
      for (let j = 0; j < dims; j++) sum += (query[j] as number) * (rows[start + j] as number)
    }
    out[i] = sum
  }
}

const count = 1024
const rounds = 64

/** Rows to visit, another `count` of them at each call. */
function visits(rows: number, where: 'random' | 'contiguous'): () => { pointer: number; array: Uint32Array } {
  const length = where === 'random' ? count * rounds : count
  const all = arena.place(Uint32Array.from({ length }, (_, i) => (where === 'random' ? random.below(rows) : i % rows)))
  let round = 0
  return () => {
    const from = where === 'random' ? (round++ % rounds) * count : 0
    return { pointer: all.pointer + 4 * from, array: all.array.subarray(from, from + count) }
  }
}

function dense(
  dims: number,
  rows: number,
  where: 'random' | 'contiguous',
  kernel: 'l2Gather' | 'l2Scan' | 'dotGather',
): Line {
  const matrix = arena.allocate(Float32Array, rows * dims)
  for (let i = 0; i < matrix.length; i++) matrix.array[i] = random.uint32() / 2 ** 32
  const query = arena.place(matrix.array.slice(0, dims))
  const next = visits(rows, where)
  const out = arena.allocate(Float32Array, count)
  const perScan = Math.min(count, rows)
  const scan = () => {
    for (let done = 0; done < count; done += perScan)
      kernels.l2Scan(query.pointer, matrix.pointer, perScan, dims, out.pointer)
  }
  const wasm =
    kernel === 'l2Scan'
      ? scan
      : () => kernels[kernel](query.pointer, matrix.pointer, next().pointer, count, dims, out.pointer)
  const l2 = kernel !== 'dotGather'
  const place = rows < 1000 ? 'in cache' : where
  const name = `${l2 ? 'L2' : 'dot'} ${dims}-d f32, ${place}, ${kernel === 'l2Scan' ? '1 row' : '4 rows'} a loop`
  return compare(name, count, () => jsDistances(l2, query.array, matrix.array, next().array, dims, out.array), wasm)
}

function coded(
  dims: number,
  rows: number,
  where: 'random' | 'contiguous',
  kernel: 'l2GatherU8' | 'l2ScanU8' | 'dotGatherI8' | 'dotScanI8',
): Line {
  const l2 = kernel.startsWith('l2')
  const matrix = l2 ? arena.allocate(Uint8Array, rows * dims) : arena.allocate(Int8Array, rows * dims)
  for (let i = 0; i < matrix.length; i++) matrix.array[i] = random.uint32()
  const query = arena.place(Int16Array.from(matrix.array.subarray(0, dims)))
  const next = visits(rows, where)
  const out = arena.allocate(Float32Array, count)
  const wasm =
    kernel === 'l2ScanU8' || kernel === 'dotScanI8'
      ? () => kernels[kernel](query.pointer, matrix.pointer, count, dims, out.pointer)
      : () => kernels[kernel](query.pointer, matrix.pointer, next().pointer, count, dims, out.pointer)
  const name = `${l2 ? 'L2' : 'dot'} ${dims}-d ${l2 ? 'u8' : 'i8'}, ${where}, ${kernel.includes('Scan') ? '1 row' : '4 rows'} a loop`
  return compare(name, count, () => jsDistances(l2, query.array, matrix.array, next().array, dims, out.array), wasm)
}

/** The k largest by a plain insertion into a sorted list behind a threshold. */
function jsSelect(scores: Float32Array, k: number, rows: number[], best: number[]): void {
  rows.length = best.length = 0
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row] as number
    if (best.length === k && score <= (best[k - 1] as number)) continue
    let at = best.length
    while (at > 0 && (best[at - 1] as number) < score) at--
    best.splice(at, 0, score)
    rows.splice(at, 0, row)
    if (best.length > k) {
      best.pop()
      rows.pop()
    }
  }
}

function select(rows: number, k: number): Line {
  const scores = arena.place(Float32Array.from({ length: rows }, () => random.float()))
  const [heap, picked, best] = [
    arena.allocate(Float64Array, k),
    arena.allocate(Uint32Array, k),
    arena.allocate(Float32Array, k),
  ]
  const js = () => jsSelect(scores.array, k, [], [])
  const wasm = () => kernels.selectLargest(scores.pointer, rows, k, heap.pointer, picked.pointer, best.pointer)
  return compare(`the ${k} largest of ${rows} scores, per score`, rows, js, wasm)
}

function sparse(rows: number, perRow: number, columns: number): Line {
  const indices = arena.place(Uint32Array.from({ length: rows * perRow }, () => random.below(columns)))
  const values = arena.place(Float32Array.from({ length: rows * perRow }, () => random.float()))
  const offsets = arena.place(Uint32Array.from({ length: rows + 1 }, (_, i) => i * perRow))
  const vector = arena.place(Float32Array.from({ length: columns }, () => random.float()))
  const out = arena.allocate(Float32Array, rows)
  const js = () => {
    const [at, value, from, dense, sums] = [indices.array, values.array, offsets.array, vector.array, out.array]
    for (let i = 0; i < rows; i++) {
      let sum = 0
      for (let e = from[i] as number; e < (from[i + 1] as number); e++)
        sum += (value[e] as number) * (dense[at[e] as number] as number)
      sums[i] = sum
    }
  }
  const wasm = () =>
    kernels.sparseDotScan(offsets.pointer, indices.pointer, values.pointer, rows, vector.pointer, out.pointer)
  return compare(`sparse · dense, ${perRow} entries a row, per entry`, rows * perRow, js, wasm)
}

function axpy(length: number): Line {
  const [x, y] = [arena.allocate(Float32Array, length), arena.allocate(Float32Array, length)]
  x.array.fill(1)
  const repeats = 1000
  const js = () => {
    const [a, b] = [x.array, y.array]
    for (let round = 0; round < repeats; round++)
      for (let j = 0; j < length; j++) b[j] = (b[j] as number) + 0.5 * (a[j] as number)
  }
  const wasm = () => {
    for (let round = 0; round < repeats; round++) kernels.axpy(0.5, x.pointer, y.pointer, length)
  }
  return compare(`y += alpha · x, ${length} long, per element`, repeats * length, js, wasm)
}

const cases: readonly (() => Line)[] = [
  () => dense(784, 60_000, 'random', 'l2Gather'),
  () => dense(784, 60_000, 'random', 'dotGather'),
  () => dense(784, 60_000, 'contiguous', 'l2Scan'),
  () => dense(784, 64, 'contiguous', 'l2Scan'),
  () => dense(100, 400_000, 'random', 'l2Gather'),
  () => dense(100, 400_000, 'contiguous', 'l2Scan'),
  () => dense(1536, 30_000, 'random', 'l2Gather'),
  () => dense(1536, 30_000, 'contiguous', 'l2Scan'),
  () => coded(784, 60_000, 'random', 'l2GatherU8'),
  () => coded(784, 60_000, 'contiguous', 'l2ScanU8'),
  () => coded(784, 60_000, 'random', 'dotGatherI8'),
  () => coded(784, 60_000, 'contiguous', 'dotScanI8'),
  () => select(60_000, 10),
  () => select(60_000, 100),
  () => sparse(50_000, 20, 50_000),
  () => axpy(784),
]

function printLine({ kernel, js, wasm, gain }: Line): void {
  console.log(`${kernel.padEnd(46)}${String(js).padStart(9)}${String(wasm).padStart(9)}${`${gain}×`.padStart(9)}`)
}

function runAll(): void {
  console.log(
    `${'kernel (ns per row, or as said)'.padEnd(46)}${'JS'.padStart(9)}${'WASM'.padStart(9)}${'gain'.padStart(9)}`,
  )
  const lines = cases.map((_, i): Line => {
    const child = spawnSync(process.execPath, [process.argv[1] as string, String(i)], { encoding: 'utf8' })
    if (child.status !== 0) throw new Error(child.stderr)
    const line: Line = JSON.parse(child.stdout)
    printLine(line)
    return line
  })
  keepResult('kernels', { unit: 'ns', lines })
}

const chosen = process.argv[2]
if (chosen === undefined) runAll()
else console.log(JSON.stringify(cases[Number(chosen)]?.()))
