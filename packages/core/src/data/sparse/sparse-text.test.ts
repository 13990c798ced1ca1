// What XMC and svmlight promise alike: writing and reading gives the same data, and chunks may be cut anywhere.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { openInput } from '../bytes/byte-source.ts'
import type { Dataset } from '../dataset.ts'
import type { Format } from '../format.ts'
import { svmlight } from './svmlight.ts'
import { xmc } from './xmc.ts'

const [features, labels] = [6, 4]
const value = fc.float({ noNaN: true, noDefaultInfinity: true })
const row = fc.tuple(fc.dictionary(fc.constantFrom(...'012345'), value), fc.subarray([0, 1, 2, 3]))

/** Rows of few features and labels; the last row has them all, since svmlight knows only those that occur. */
const datasets: fc.Arbitrary<Dataset> = fc.array(row, { maxLength: 5 }).map(rows => {
  const full = [Object.fromEntries(Array.from('012345', key => [key, 1])), [0, 1, 2, 3]] as const
  const all = [...rows, full]
  const pairs = all.map(([entries]) => Object.entries(entries).map(([key, entry]) => [Number(key), entry] as const))
  return {
    name: 'a',
    rows: all.length,
    features: SparseMatrix.from(pairs, features),
    labels: LabelMatrix.from(
      all.map(([, list]) => list),
      labels,
    ),
    labelNames: ['0', '1', '2', '3'],
  }
})

async function write(format: Format, dataset: Dataset): Promise<Uint8Array> {
  const written: string[] = []
  await format.write?.(dataset, { name: 'a', write: async chunk => void written.push(String(chunk)) }, {})
  return new TextEncoder().encode(written.join(''))
}

async function* cut(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const places = [0, ...cuts.map(at => Math.min(at, bytes.length)).sort((a, b) => a - b), bytes.length]
  for (let i = 1; i < places.length; i++) yield bytes.subarray(places[i - 1], places[i])
}

describe.each([xmc, svmlight])('$name', format => {
  it('reads what it has written, wherever the chunks are cut', async () => {
    await fc.assert(
      fc.asyncProperty(datasets, fc.array(fc.nat(200), { maxLength: 8 }), async (dataset, cuts) => {
        const input = await openInput(cut(await write(format, dataset), cuts))
        const same = await format.read(input, {})
        expect(same.features).toEqual(dataset.features)
        expect(same.labels).toEqual(dataset.labels)
        if (same.labelNames) expect(same.labelNames).toEqual(dataset.labelNames)
      }),
    )
  })

  it('stops at the signal while reading and while writing', async () => {
    const dataset = { name: 'a', rows: 1, features: SparseMatrix.from([[[0, 1]]]) }
    const signal = AbortSignal.abort()
    const writing = format.write?.(dataset, { name: 'a', write: async () => {} }, { signal })
    await expect(writing).rejects.toMatchObject({ code: 'ABORTED' })
    const input = await openInput(await write(format, dataset))
    await expect(format.read(input, { signal })).rejects.toMatchObject({ code: 'ABORTED' })
  })
})
