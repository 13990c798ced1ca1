// Damaged Parquet and HDF5 files. The libraries that read them run in a process of their own: one that hangs or crashes is an error of the
// file. Neither format promises checksums: a number that was changed within its page is read as it stands, and counted apart.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import { type Dataset, EngineError, Random, readDataset } from 'vicinal'
import { afterAll, expect, it } from 'vitest'
import { caseCount, report } from './report.ts'

const folder = mkdtempSync(join(tmpdir(), 'vicinal-'))
afterAll(() => rmSync(folder, { recursive: true }))

const texts = Array.from({ length: 300 }, (_, i) => `word${i % 17}`)
const tables: { columnData: ColumnSource[]; rowGroupSize?: number; codec?: 'UNCOMPRESSED' }[] = [
  {
    columnData: [
      { name: 'id', data: ['a', 'b', 'c'], type: 'STRING' },
      { name: 'text', data: ['one', 'two', 'three'], type: 'STRING' },
      { name: 'labels', data: ['x', 'y', 'x'], type: 'STRING' },
    ],
  },
  {
    columnData: [
      { name: 'a', data: [1.5, 2, 3], type: 'DOUBLE' },
      { name: 'b', data: [1, 2, 3], type: 'INT32' },
      { name: 'class', data: ['x', 'y', 'x'], type: 'STRING' },
    ],
    codec: 'UNCOMPRESSED',
  },
  {
    columnData: [
      { name: 'text', data: texts, type: 'STRING' },
      { name: 'labels', data: texts.map((_, i) => `l${i % 3}`), type: 'STRING' },
    ],
    rowGroupSize: 100,
  },
]

async function hdf5File(): Promise<Uint8Array> {
  const { File, ready } = await import('h5wasm/node')
  await ready
  const path = join(folder, 'whole.h5')
  const file = new File(path, 'w')
  file.create_dataset({ name: 'train', data: Float32Array.from({ length: 60 }, (_, i) => i / 7), shape: [20, 3] })
  file.create_dataset({ name: 'test', data: Int32Array.of(1, 2, 3, 4), shape: [2, 2] })
  file.close()
  return new Uint8Array(readFileSync(path))
}

/** One to three bytes changed, or the file cut. */
function damage(bytes: Uint8Array, random: Random): Uint8Array {
  if (random.below(10) === 0) return bytes.slice(0, random.below(bytes.length))
  const changed = bytes.slice()
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = random.below(bytes.length)
    changed[at] = random.below(2) === 0 ? Number(changed[at]) ^ (1 << random.below(8)) : random.below(256)
  }
  return changed
}

type Outcome = 'whole' | 'refused' | 'changed' | 'foreign'

async function read(bytes: Uint8Array, ending: string, whole: Dataset): Promise<{ outcome: Outcome; error?: unknown }> {
  const path = join(folder, `damaged.${ending}`)
  writeFileSync(path, bytes)
  try {
    const { name: _, ...found } = await readDataset(path)
    const { name: __, ...expected } = whole
    try {
      expect(found).toEqual(expected)
      return { outcome: 'whole' }
    } catch {
      return { outcome: 'changed' }
    }
  } catch (error) {
    return error instanceof EngineError && error.code !== 'INTERNAL'
      ? { outcome: 'refused' }
      : { outcome: 'foreign', error }
  }
}

async function tryFiles(name: string, ending: string, wholes: readonly Uint8Array[], tried: number): Promise<void> {
  const datasets = await Promise.all(wholes.map((bytes, i) => {
    const path = join(folder, `whole${i}.${ending}`)
    writeFileSync(path, bytes)
    return readDataset(path)
  })) // biome-ignore format: one idea
  const counts: Record<Outcome, number> = { whole: 0, refused: 0, changed: 0, foreign: 0 }
  const errors: unknown[] = []
  for (let i = 0; i < tried; i++) {
    const which = i % wholes.length
    const { outcome, error } = await read(
      damage(wholes[which] as Uint8Array, new Random(i)),
      ending,
      datasets[which] as Dataset,
    )
    counts[outcome]++
    if (error) errors.push(error)
  }
  const note = `${counts.refused} refused, ${counts.whole} read unchanged, ${counts.changed} with other values: these files have no checksums`
  report({ name, tried, failed: counts.foreign, note })
  expect(errors).toEqual([])
}

it('a damaged Parquet file is refused, or read for what it says', { timeout: 3_600_000 }, () => {
  const wholes = tables.map(table => new Uint8Array(parquetWriteBuffer(table)))
  return tryFiles('Parquet files, damaged', 'parquet', wholes, caseCount(100, 9_000))
})

it('a damaged HDF5 file is refused, or read for what it says', { timeout: 3_600_000 }, async () => {
  await tryFiles('HDF5 files, damaged', 'h5', [await hdf5File()], caseCount(10, 1_000))
})
