// Vectors of many titles: node tools/run.mjs bench/many-rows/title-sketches.ts --data <folder of the data sets> --out <folder>
// A title's sketch is its tf-idf row on the first 128 right singular vectors of the training titles (subspace iteration from a fixed
// seed), scaled to length 1. The million is those of the training titles, then as many again as are missing, each the sketch of a random
// title with noise of length 0.3 added, scaled to length 1. Queries are sketches of test titles. The same files on every machine.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Random, SparseMatrix } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { npyHeader } from './npy.ts'

const dims = 128
const passes = 4
const million = 1_000_000
const queries = 1000
export const noiseLength = 0.3

async function titles(folder: string, name: string): Promise<SparseMatrix> {
  const { features } = await readDataset(join(folder, 'xmc', 'yso-finna-en', `${name}.txt.gz`))
  if (!(features instanceof SparseMatrix)) throw new Error(`${name} holds no sparse rows`)
  return features
}

/** `matrix` × `right`, [rows × dims] of [columns × dims]. */
function times(matrix: SparseMatrix, right: Float64Array): Float64Array {
  const out = new Float64Array(matrix.rows * dims)
  for (let i = 0; i < matrix.rows; i++) {
    const { indices, values } = matrix.row(i)
    for (let e = 0; e < indices.length; e++) addScaled(out, i, right, indices[e] ?? 0, values[e] ?? 0)
  }
  return out
}

/** The transpose of `matrix` × `left`, [columns × dims] of [rows × dims]. */
function transposeTimes(matrix: SparseMatrix, left: Float64Array): Float64Array {
  const out = new Float64Array(matrix.columns * dims)
  for (let i = 0; i < matrix.rows; i++) {
    const { indices, values } = matrix.row(i)
    for (let e = 0; e < indices.length; e++) addScaled(out, indices[e] ?? 0, left, i, values[e] ?? 0)
  }
  return out
}

function addScaled(out: Float64Array, to: number, from: Float64Array, row: number, scale: number): void {
  for (let j = 0; j < dims; j++) out[to * dims + j] = (out[to * dims + j] ?? 0) + scale * (from[row * dims + j] ?? 0)
}

/** Makes the columns of [n × dims] orthonormal, by Cholesky's factor of their products, twice against rounding. */
function orthonormalize(columns: Float64Array): void {
  for (let round = 0; round < 2; round++) {
    const gram = new Float64Array(dims * dims)
    for (let at = 0; at < columns.length; at += dims) {
      for (let a = 0; a < dims; a++) {
        const value = columns[at + a] ?? 0
        if (value === 0) continue
        for (let b = 0; b <= a; b++) gram[a * dims + b] = (gram[a * dims + b] ?? 0) + value * (columns[at + b] ?? 0)
      }
    }
    solve(columns, cholesky(gram))
  }
}

/** The lower factor, in place of the matrix. */
function cholesky(gram: Float64Array): Float64Array {
  for (let a = 0; a < dims; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = gram[a * dims + b] ?? 0
      for (let c = 0; c < b; c++) sum -= (gram[a * dims + c] ?? 0) * (gram[b * dims + c] ?? 0)
      gram[a * dims + b] = a === b ? Math.sqrt(sum) : sum / (gram[b * dims + b] ?? 1)
    }
  }
  return gram
}

/** Every row x of [n × dims] becomes that y with y · lowerᵀ = x. */
function solve(rows: Float64Array, lower: Float64Array): void {
  for (let at = 0; at < rows.length; at += dims) {
    for (let a = 0; a < dims; a++) {
      let sum = rows[at + a] ?? 0
      for (let b = 0; b < a; b++) sum -= (rows[at + b] ?? 0) * (lower[a * dims + b] ?? 0)
      rows[at + a] = sum / (lower[a * dims + a] ?? 1)
    }
  }
}

/** The first right singular vectors, [columns × dims], but for a rotation, which changes no distance. */
function rightVectors(matrix: SparseMatrix): Float64Array {
  const random = new Random(1)
  let right: Float64Array = Float64Array.from({ length: matrix.columns * dims }, () => random.normal())
  orthonormalize(right)
  for (let pass = 0; pass < passes; pass++) {
    right = transposeTimes(matrix, times(matrix, right))
    orthonormalize(right)
    process.stderr.write(`pass ${pass + 1} of ${passes}\n`)
  }
  return right
}

/** Writes the row at `at`, scaled to length 1. Whether it has a length. */
function writeScaled(out: Float32Array, at: number, row: Float64Array): boolean {
  const length = Math.hypot(...row)
  if (length < 1e-6) return false
  for (let j = 0; j < dims; j++) out[at * dims + j] = (row[j] ?? 0) / length
  return true
}

/** Sketches of length 1; titles without a known word have none. */
function sketches(matrix: SparseMatrix, right: Float64Array, most: number): Float32Array {
  const products = times(matrix, right)
  const out = new Float32Array(matrix.rows * dims)
  let count = 0
  for (let i = 0; i < matrix.rows && count < most; i++) {
    if (writeScaled(out, count, products.subarray(i * dims, (i + 1) * dims))) count++
  }
  return out.subarray(0, count * dims)
}

/** `titles`, and behind them random ones with noise, up to `rows`. */
function extended(titles: Float32Array, rows: number): Float32Array {
  const random = new Random(2)
  const out = new Float32Array(rows * dims)
  out.set(titles)
  const known = titles.length / dims
  const row = new Float64Array(dims)
  for (let i = known; i < rows; i++) {
    const from = random.below(known) * dims
    const noise = Float64Array.from({ length: dims }, () => random.normal())
    const scale = noiseLength / Math.hypot(...noise)
    for (let j = 0; j < dims; j++) row[j] = (titles[from + j] ?? 0) + scale * (noise[j] ?? 0)
    writeScaled(out, i, row)
  }
  return out
}

function write(folder: string, name: string, values: Float32Array): void {
  const file = join(folder, `${name}.npy`)
  writeFileSync(file, npyHeader(values.length / dims, dims))
  writeFileSync(file, values, { flag: 'a' })
  process.stderr.write(`wrote ${file}: ${values.length / dims} rows\n`)
}

const { values } = parseArgs({ options: { data: { type: 'string' }, out: { type: 'string' } } })
if (!values.data || !values.out)
  throw new Error('give the folder of the data sets with --data and where to write with --out')
const train = await titles(values.data, 'train')
const right = rightVectors(train)
const rows = sketches(train, right, train.rows)
write(values.out, 'rows', extended(rows, million))
write(values.out, 'queries', sketches(await titles(values.data, 'test'), right, queries))
process.stderr.write(`the first ${rows.length / dims} rows are titles\n`)
