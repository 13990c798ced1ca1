import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { openInput } from '../bytes/byte-source.ts'
import type { Dataset } from '../dataset.ts'
import type { Format } from '../format.ts'
import { bvecs, fvecs, ivecs } from './vecs.ts'

const int32 = (value: number): number[] => Array.from(new Uint8Array(Int32Array.of(value).buffer))
const float32 = (value: number): number[] => Array.from(new Uint8Array(Float32Array.of(value).buffer))

/** A file of rows of bytes, each with its dimension. */
const bytesFile = (...rows: number[][]): Uint8Array =>
  Uint8Array.from(rows.flatMap(row => [...int32(row.length), ...row]))

async function read(format: Format, bytes: Uint8Array): Promise<Dataset> {
  return format.read(await openInput(bytes, { name: 'a.vecs' }), {})
}

async function write(dataset: Dataset): Promise<Uint8Array> {
  const written: number[] = []
  await fvecs.write?.(dataset, { name: 'a', write: async chunk => void written.push(...(chunk as Uint8Array)) }, {})
  return Uint8Array.from(written)
}

describe('vecs', () => {
  it('reads floats', async () => {
    const bytes = Uint8Array.of(...int32(2), ...float32(1.5), ...float32(-2), ...int32(2), ...float32(0), ...float32(4))
    const dataset = await read(fvecs, bytes)
    expect(dataset).toEqual({
      name: 'a.vecs',
      rows: 2,
      features: new DenseMatrix(2, 2, Float32Array.of(1.5, -2, 0, 4)),
    })
  })

  it('keeps bytes as bytes', async () => {
    expect((await read(bvecs, bytesFile([1, 2, 255], [4, 5, 6]))).features).toEqual(
      new DenseMatrix(2, 3, Uint8Array.of(1, 2, 255, 4, 5, 6)),
    )
  })

  it('keeps whole numbers as whole numbers', async () => {
    const bytes = Uint8Array.of(...int32(2), ...int32(-7), ...int32(2 ** 30))
    expect((await read(ivecs, bytes)).features).toEqual(new DenseMatrix(1, 2, Int32Array.of(-7, 2 ** 30)))
  })

  it('refuses a row of another dimension, and names it', async () => {
    await expect(read(bvecs, bytesFile([1, 2], [3, 4], [5, 6, 7]))).rejects.toMatchObject({
      code: 'BAD_DATA',
      where: { file: 'a.vecs' },
      message: expect.stringContaining('row 2 has dimension 3, but the rows before it have 2'),
    })
  })

  it('says within which row a truncated file ends', async () => {
    const bytes = bytesFile([1, 2], [3, 4])
    for (const length of [7, 9, 11]) {
      await expect(read(bvecs, bytes.subarray(0, length))).rejects.toThrow('the file ends within row 1')
    }
    await expect(read(bvecs, bytes.subarray(0, 5))).rejects.toThrow('the file ends within row 0')
    await expect(read(bvecs, bytes.subarray(0, 3))).rejects.toThrow('the file has 3 bytes, expected at least one row')
  })

  it.each([0, -1, 2 ** 30])('refuses the dimension %i', async dimension => {
    await expect(read(fvecs, Uint8Array.from(int32(dimension)))).rejects.toThrow(`row 0 has dimension ${dimension}`)
  })

  it('refuses NaN and infinity, with row and column', async () => {
    const bytes = Uint8Array.of(...int32(1), ...float32(1), ...int32(1), ...float32(Number.NaN))
    await expect(read(fvecs, bytes)).rejects.toThrow('row 1, column 0 is NaN')
  })

  it('reads files of several blocks', async () => {
    const file = new Uint8Array(3000 * 1004)
    for (let i = 0; i < 3000; i++) file.fill(i, i * 1004, (i + 1) * 1004).set(int32(1000), i * 1004)
    const { features } = await read(bvecs, file)
    expect(features?.rows).toBe(3000)
    for (const i of [0, 1044, 1045, 2999]) expect(features?.row(i)).toEqual(new Uint8Array(1000).fill(i))
  })

  it('reads back what it has written', async () => {
    const number = fc.float({ noNaN: true, noDefaultInfinity: true })
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain(columns =>
        fc.array(fc.array(number, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 6 }),
      )
    await fc.assert(
      fc.asyncProperty(table, async rows => {
        const dataset = { name: 'a.vecs', rows: rows.length, features: DenseMatrix.from(rows) }
        expect(await read(fvecs, await write(dataset))).toEqual(dataset)
      }),
    )
  })

  it('writes bytes as floats', async () => {
    const bytes = await write({ name: 'a', rows: 1, features: new DenseMatrix(1, 2, Uint8Array.of(1, 2)) })
    expect(Array.from(bytes)).toEqual([...int32(2), ...float32(1), ...float32(2)])
  })

  it('is recognized by the dimensions of its first two rows', () => {
    expect(bvecs.recognize(bytesFile([1, 2], [3, 4]))).toBe(true)
    expect(bvecs.recognize(bytesFile([1, 2]))).toBe(true)
    expect(bvecs.recognize(bytesFile([1, 2], [3]))).toBe(false)
    expect(fvecs.recognize(bytesFile([1, 2, 3], [4, 5, 6]))).toBe(false)
    expect(bvecs.recognize(new TextEncoder().encode('plain text'))).toBe(false)
  })
})
