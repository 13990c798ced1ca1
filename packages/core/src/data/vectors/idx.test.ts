import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { openInput, type Source } from '../bytes/byte-source.ts'
import type { Dataset } from '../dataset.ts'
import { idx } from './idx.ts'

const size = (value: number): number[] => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]
const file = (type: number, sizes: number[], data: number[]): Uint8Array =>
  Uint8Array.of(0, 0, type, sizes.length, ...sizes.flatMap(size), ...data)

const images = file(8, [2, 2, 2], [1, 2, 3, 4, 5, 6, 7, 255])
const labels = file(8, [2], [3, 0])

async function read(source: Source): Promise<Dataset> {
  const name = typeof source === 'string' ? {} : { name: 'a.idx' }
  return idx.read(await openInput(source, name), {})
}

describe('reading idx', () => {
  it('reads images as rows of bytes', async () => {
    expect(await read(images)).toEqual({
      name: 'a.idx',
      rows: 2,
      features: new DenseMatrix(2, 4, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 255)),
    })
  })

  it('reads one dimension as labels, called by their numbers', async () => {
    expect(await read(labels)).toEqual({
      name: 'a.idx',
      rows: 2,
      labels: LabelMatrix.from([[3], [0]]),
      labelNames: ['0', '1', '2', '3'],
    })
  })

  it.each([
    ['i8', 0x09, [1, 255], Int32Array.of(1, -1)],
    ['i16', 0x0b, [0, 1, 255, 254], Int32Array.of(1, -2)],
    ['i32', 0x0c, [0, 0, 1, 0, 255, 255, 255, 255], Int32Array.of(256, -1)],
    ['f32', 0x0d, [0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0], Float32Array.of(1, -2)],
    ['f64', 0x0e, [0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0], Float32Array.of(1, -2)],
  ])('reads numbers of type %s', async (_, type, data, expected) => {
    expect((await read(file(type, [1, 2], data))).features).toEqual(new DenseMatrix(1, 2, expected))
  })
})

describe('bad idx', () => {
  it.each([
    ['a wrong beginning', Uint8Array.of(1, 0, 8, 1, 0, 0, 0, 0), 'the file begins with 01 00 08 01, expected 00 00'],
    ['a type it does not know', file(7, [1], [1]), 'the file begins with 00 00 07 01'],
    ['no dimensions', file(8, [], []), 'the file begins with 00 00 08 00'],
    ['an empty file', new Uint8Array(0), 'the file begins with'],
    ['a cut header', images.subarray(0, 10), 'the file ends within its header'],
    ['a truncated file', images.subarray(0, -1), 'the file ends in row 1, expected 2 rows of 4 numbers'],
    ['bytes too many', Uint8Array.of(...images, 0), 'there are more bytes after the last of the 2 × 2 × 2 numbers'],
    ['negative labels', file(9, [2], [1, 255]), 'label 1 is -1, expected a whole number'],
    ['labels with fractions', file(0x0d, [1], [0x3f, 0, 0, 0]), 'label 0 is 0.5, expected a whole number'],
    ['NaN', file(0x0d, [1, 1], [0x7f, 0xc0, 0, 0]), 'row 0, column 0 is NaN'],
  ])('refuses %s', async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'BAD_DATA',
      where: { file: 'a.idx' },
      message: expect.stringContaining(message),
    })
  })
})

describe('idx images with labels beside them', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vicinal-idx-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('attaches the labels, gzipped or not', async () => {
    await writeFile(join(folder, 'a-images-idx3-ubyte.gz'), gzipSync(images))
    await writeFile(join(folder, 'a-labels-idx1-ubyte'), labels)
    const dataset = await read(join(folder, 'a-images-idx3-ubyte.gz'))
    expect(dataset.features?.rows).toBe(2)
    expect(dataset.labels).toEqual(LabelMatrix.from([[3], [0]]))
    expect(dataset.labelNames).toHaveLength(4)
  })

  it('needs none', async () => {
    await writeFile(join(folder, 'b-images-idx3-ubyte'), images)
    expect((await read(join(folder, 'b-images-idx3-ubyte'))).labels).toBeUndefined()
  })

  it('refuses labels of another number of rows', async () => {
    await writeFile(join(folder, 'c-images.idx3-ubyte'), images)
    await writeFile(join(folder, 'c-labels.idx1-ubyte'), file(8, [3], [1, 2, 3]))
    await expect(read(join(folder, 'c-images.idx3-ubyte'))).rejects.toMatchObject({
      code: 'BAD_DATA',
      where: { file: join(folder, 'c-labels.idx1-ubyte') },
      message: expect.stringContaining('the file has 3 labels, but'),
    })
  })
})

describe('recognizing idx', () => {
  it('looks at the first four bytes', () => {
    expect(idx.recognize(images)).toBe(true)
    expect(idx.recognize(labels)).toBe(true)
    expect(idx.recognize(file(7, [1], [1]))).toBe(false)
    expect(idx.recognize(new Uint8Array(0))).toBe(false)
  })
})

it('refuses twelve bytes that ask for millions of names', async () => {
  await expect(read(file(0x0c, [1], [0, 0xff, 0xff, 0xff]))).rejects.toThrow('label 0 is 16777215, expected')
})

it('refuses rows without numbers', async () => {
  await expect(read(file(8, [2 ** 31, 0], []))).rejects.toThrow('its rows have no numbers')
})
