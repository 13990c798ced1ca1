import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Dataset, DenseMatrix } from '@vicinal/core'
import type { ReadOptions } from '@vicinal/core/data'
import { openInput } from '@vicinal/core/internals'
import { type File, File as Hdf5File, ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hdf5 } from './hdf5-format.ts'

let folder = ''
beforeAll(async () => {
  await ready
  folder = await mkdtemp(join(tmpdir(), 'vicinal-hdf5-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Writes a file and returns its path. */
function fileWith(name: string, fill: (file: File) => void): string {
  const path = join(folder, name)
  const file = new Hdf5File(path, 'w')
  fill(file)
  file.close()
  return path
}

const annBenchmarks = (name: string): string =>
  fileWith(name, file => {
    file.create_dataset({ name: 'train', data: Float32Array.of(1, 2, 3, 4, 5, 6), shape: [3, 2] })
    file.create_dataset({ name: 'test', data: Float64Array.of(0.5, 7), shape: [1, 2] })
    file.create_dataset({ name: 'neighbors', data: BigInt64Array.of(2n, 0n, 1n), shape: [1, 3] })
    file.create_dataset({ name: 'size', data: Int32Array.of(1, 2), shape: [2] })
    file.create_group('more')
  })

async function read(source: string | Uint8Array, options: ReadOptions = {}): Promise<Dataset> {
  return hdf5.read(await openInput(source, typeof source === 'string' ? {} : { name: 'a.hdf5' }), options)
}

describe('reading hdf5', () => {
  it('reads the matrix train by default', async () => {
    const path = annBenchmarks('a.hdf5')
    expect(await read(path)).toEqual({
      name: path,
      rows: 3,
      features: new DenseMatrix(3, 2, Float32Array.of(1, 2, 3, 4, 5, 6)),
    })
  })

  it('reads the part that is named: 64-bit floats as f32, 64-bit whole numbers as i32', async () => {
    const path = annBenchmarks('b.hdf5')
    expect((await read(path, { part: 'test' })).features).toEqual(new DenseMatrix(1, 2, Float32Array.of(0.5, 7)))
    expect((await read(path, { part: 'neighbors' })).features).toEqual(new DenseMatrix(1, 3, Int32Array.of(2, 0, 1)))
  })

  it('reads the only matrix there is, whatever its name, and keeps bytes', async () => {
    const path = fileWith('c.h5', file => {
      file.create_dataset({ name: 'x', data: Uint8Array.of(1, 255), shape: [2, 1] })
    })
    expect((await read(path)).features).toEqual(new DenseMatrix(2, 1, Uint8Array.of(1, 255)))
  })

  it('reads compressed matrices of several blocks', async () => {
    const data = Float32Array.from({ length: 1_200_000 }, (_, i) => i % 1000)
    const path = fileWith('d.hdf5', file => {
      file.create_dataset({ name: 'train', data, shape: [12_000, 100], chunks: [1000, 100], compression: 'gzip' })
    })
    const { features } = await read(path)
    expect(features).toMatchObject({ rows: 12_000, columns: 100 })
    expect((features as DenseMatrix).values.findIndex((value, i) => value !== data[i])).toBe(-1)
  })

  it('reads bytes in memory and gzipped files', async () => {
    const bytes = await readFile(annBenchmarks('e.hdf5'))
    const gzipped = join(folder, 'e.hdf5.gz')
    await writeFile(gzipped, gzipSync(bytes))
    for (const source of [new Uint8Array(bytes), gzipped]) {
      expect((await read(source)).features).toEqual(new DenseMatrix(3, 2, Float32Array.of(1, 2, 3, 4, 5, 6)))
    }
  })
})

describe('bad hdf5', () => {
  it('refuses a truncated file, in place and in memory', async () => {
    const path = annBenchmarks('f.hdf5')
    const bytes = new Uint8Array(await readFile(path)).subarray(0, 1000)
    await writeFile(path, bytes)
    for (const source of [path, bytes]) {
      await expect(read(source)).rejects.toMatchObject({
        code: 'BAD_DATA',
        message: expect.stringContaining('the HDF5 file cannot be read: truncated file'),
      })
    }
  })

  it('refuses another file', async () => {
    await expect(read(new TextEncoder().encode('plain text'))).rejects.toMatchObject({
      code: 'BAD_DATA',
      where: { file: 'a.hdf5' },
      message: expect.stringContaining('its first bytes do not match'),
    })
  })

  it('refuses a file that is not there', async () => {
    await expect(read(join(folder, 'none.hdf5'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  })

  it('lists the matrices there are', async () => {
    await expect(read(annBenchmarks('g.hdf5'), { part: 'trian' })).rejects.toMatchObject({
      code: 'UNKNOWN_NAME',
      message: expect.stringMatching(/no matrix "trian"; the file has: .*neighbors.*test.*train/),
    })
    const path = fileWith('h.hdf5', file => {
      file.create_dataset({ name: 'x', data: Float32Array.of(1), shape: [1, 1] })
      file.create_dataset({ name: 'y', data: Float32Array.of(1), shape: [1, 1] })
    })
    await expect(read(path)).rejects.toThrow('there is no matrix "train"; the file has: x, y')
  })

  it('refuses what is no matrix', async () => {
    await expect(read(annBenchmarks('i.hdf5'), { part: 'size' })).rejects.toThrow('/size is 2, expected a matrix')
    const path = fileWith('j.hdf5', file => {
      file.create_dataset({ name: 'train', data: ['a', 'b'], shape: [1, 2] })
    })
    await expect(read(path)).rejects.toMatchObject({
      code: 'BAD_DATA',
      message: expect.stringContaining('expected numbers'),
    })
  })

  it.each([
    ['NaN', Float32Array.of(1, 2, Number.NaN, 4), 'row 1, column 0 is NaN, expected a finite 32-bit number'],
    ['a float beyond 32 bits', Float64Array.of(1, 1e39, 1, 1), 'row 0, column 1 is 1e+39'],
    [
      'a large whole number',
      BigInt64Array.of(1n, 2n, 2n ** 31n, 0n),
      'row 1, column 0 is 2147483648, expected a whole number',
    ],
  ])('refuses %s, with row and column', async (name, data, message) => {
    const path = fileWith(`${name}.hdf5`, file => {
      file.create_dataset({ name: 'train', data, shape: [2, 2] })
    })
    await expect(read(path)).rejects.toThrow(message)
  })
})

describe('recognizing hdf5', () => {
  it('looks at the magic', async () => {
    expect(hdf5.recognize(new Uint8Array(await readFile(annBenchmarks('k.hdf5'))))).toBe(true)
    expect(hdf5.recognize(new Uint8Array(8))).toBe(false)
  })
})
