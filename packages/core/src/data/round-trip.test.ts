import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { EngineError } from '../errors.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { SparseMatrix } from '../matrix/sparse-matrix.ts'
import type { Dataset } from './dataset.ts'
import { writableFormatNames } from './formats.ts'
import { readDataset } from './read-dataset.ts'
import { writeDataset } from './write-dataset.ts'

const folder = mkdtempSync(join(tmpdir(), 'round-trip-'))
afterAll(() => rmSync(folder, { recursive: true }))

const float32 = fc.oneof(
  fc.float(),
  fc.constantFrom(0, -0, 16777216, 2147483648, 0.1, 1e-45, 3.4028234663852886e38, 1 / 3).map(Math.fround),
)
const int32 = fc.oneof(fc.integer(), fc.constantFrom(2147483647, -2147483648, 16777217, 1000000007, 0))
const name = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.constantFrom('', ' ', 'a', 'b', 'a b', 'a,b', 'a:b', '#x', '0', '1', '01', '1.0', '9007199254740993', '\ufeff'),
  fc.constantFrom('9007199254740992', '\ud800', '\n', 'qid', 'é', '漢', '__proto__', 'vicinal', 'NaN'),
)

const denseValues = (length: number) =>
  fc.oneof(
    fc.array(float32, { minLength: length, maxLength: length }).map(list => Float32Array.from(list)),
    fc.array(int32, { minLength: length, maxLength: length }).map(list => Int32Array.from(list)),
    fc.uint8Array({ minLength: length, maxLength: length }),
  )

const sparseRow = (columns: number) =>
  fc
    .uniqueArray(fc.nat({ max: Math.max(0, columns - 1) }), { maxLength: columns })
    .chain(indices => fc.tuple(...indices.map(index => fc.tuple(fc.constant(index), float32))))

const featuresOf = (rows: number) =>
  fc.nat({ max: 4 }).chain(columns =>
    fc.oneof(
      denseValues(rows * columns).map(values => new DenseMatrix(rows, columns, values)),
      fc.array(sparseRow(columns), { minLength: rows, maxLength: rows }).map(list => unchecked(list, columns)),
    ),
  )

/** A sparse matrix that may hold NaN and infinite values, as callers can build one. */
function unchecked(rows: [number, number][][], columns: number): SparseMatrix {
  const sorted = rows.map(row => row.toSorted((a, b) => a[0] - b[0]))
  const offsets = Float64Array.from([0, ...sorted.map((_, i) => sorted.slice(0, i + 1).flat().length)])
  const entries = sorted.flat()
  const [indices, values] = [entries.map(([index]) => index), entries.map(([, value]) => value)]
  return new SparseMatrix(rows.length, columns, offsets, Uint32Array.from(indices), Float32Array.from(values))
}

const labelsOf = (rows: number) =>
  fc.nat({ max: 4 }).chain(columns =>
    fc.record({
      labels: fc
        .array(fc.uniqueArray(fc.nat({ max: Math.max(0, columns - 1) }), { maxLength: columns }), {
          minLength: rows,
          maxLength: rows,
        })
        .map(list => LabelMatrix.from(list, columns)),
      labelNames: fc.option(fc.array(name, { minLength: columns, maxLength: columns }), { nil: undefined }),
    }),
  )

const strings = (rows: number) => fc.option(fc.array(name, { minLength: rows, maxLength: rows }), { nil: undefined })

const dataset: fc.Arbitrary<Dataset> = fc.integer({ min: 1, max: 4 }).chain(rows =>
  fc
    .record({
      ids: strings(rows),
      texts: strings(rows),
      features: fc.option(featuresOf(rows), { nil: undefined }),
      labels: fc.option(labelsOf(rows), { nil: undefined }),
    })
    .map(({ ids, texts, features, labels }) => ({
      name: 'x',
      rows,
      ...(ids && { ids }),
      ...(texts && { texts }),
      ...(features && { features }),
      ...(labels && { labels: labels.labels }),
      ...(labels?.labelNames && { labelNames: labels.labelNames }),
    })),
)

/** The numbers of all rows, whatever holds them; zeros that are not stored count as zeros. */
function numbersOf({ features, rows }: Dataset): number[][] | undefined {
  if (!features) return undefined
  return Array.from({ length: rows }, (_, i) => {
    if (features instanceof DenseMatrix) return Array.from(features.row(i))
    const { indices, values } = features.row(i)
    const row = new Array(features.columns).fill(0)
    indices.forEach((index, e) => {
      row[index] = values[e]
    })
    return row
  })
}

/** The labels of all rows, and all there are, by name; names that are just numbers are no names. */
function labelsByName({ labels, labelNames, rows }: Dataset) {
  const nameOf = (label: number) => labelNames?.[label] ?? String(label)
  return (
    labels && {
      all: Array.from({ length: labels.columns }, (_, label) => nameOf(label)),
      rows: Array.from({ length: rows }, (_, i) => Array.from(labels.row(i), nameOf)),
    }
  )
}

/** What each format promises to keep. */
const kept: Record<string, (data: Dataset) => unknown> = {
  xmc: data => [
    numbersOf(data),
    data.labels ?? new LabelMatrix(data.rows, 0, new Float64Array(data.rows + 1), new Uint32Array(0)),
  ],
  svmlight: data => [numbersOf(data), labelsByName(data) ?? { all: [], rows: Array(data.rows).fill([]) }],
  jsonl: data => [numbersOf(data), labelsByName(data), data.ids, data.texts],
  csv: data => [data.texts ?? numbersOf(data), data.ids, labelsByName(data)?.rows.map(row => row.toSorted())],
  npy: data => data.features,
  fvecs: data => numbersOf(data),
}

it.each(writableFormatNames())(
  'what is written as %s is read back as it was, or refused before it is written',
  async format => {
    let [written, refused] = [0, 0]
    await fc.assert(
      fc.asyncProperty(dataset, fc.boolean(), async (data, zipped) => {
        const path = join(folder, `data.${format}${zipped ? '.gz' : ''}`)
        const failure = await writeDataset(data, path, { format, overwrite: true }).catch(error => error)
        if (failure === undefined) {
          written++
          const back = await readDataset(path, { format })
          expect(kept[format](back)).toEqual(kept[format](data))
          rmSync(path)
        } else {
          refused++
          expect(failure).toBeInstanceOf(EngineError)
          expect(['INVALID_OPTION', 'BAD_DATA']).toContain(failure.code)
        }
        expect(readdirSync(folder)).toEqual([])
      }),
      { numRuns: 300 },
    )
    // Neither everything refused nor everything easy.
    expect(Math.min(written, refused)).toBeGreaterThan(20)
  },
)
