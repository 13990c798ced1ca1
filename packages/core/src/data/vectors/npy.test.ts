import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { DenseValues } from '../../matrix/dense-values.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { openInput } from '../bytes/byte-source.ts'
import type { Dataset } from '../dataset.ts'
import { npy } from './npy.ts'

const bytesOf = (content: string): Uint8Array => new TextEncoder().encode(content)

/** A file with the given dictionary and data. */
function file(dictionary: string, data: ArrayLike<number>, version = 1): Uint8Array {
  const length = version === 1 ? [dictionary.length, 0] : [dictionary.length, 0, 0, 0]
  return Uint8Array.of(0x93, ...bytesOf('NUMPY'), version, 0, ...length, ...bytesOf(dictionary), ...Array.from(data))
}

const dictionary = (type: string, shape: string, fortran = false): string =>
  `{'descr': '${type}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': ${shape}, }`

async function read(bytes: Uint8Array): Promise<Dataset> {
  return npy.read(await openInput(bytes, { name: 'a.npy' }), {})
}

const readValues = async (type: string, data: ArrayLike<number>, count = 2): Promise<DenseValues | undefined> =>
  ((await read(file(dictionary(type, `(1, ${count})`), data))).features as DenseMatrix).values

async function write(dataset: Dataset): Promise<Uint8Array> {
  const written: number[] = []
  await npy.write?.(dataset, { name: 'a', write: async chunk => void written.push(...(chunk as Uint8Array)) }, {})
  return Uint8Array.from(written)
}

const bytesFrom = (values: { buffer: ArrayBufferLike }): Uint8Array => new Uint8Array(values.buffer)

describe('reading npy', () => {
  it('reads a matrix of 32-bit floats', async () => {
    const dataset = await read(file(dictionary('<f4', '(2, 3)'), bytesFrom(Float32Array.of(1, 2, 3, 4, 5, 6))))
    expect(dataset).toMatchObject({ name: 'a.npy', rows: 2 })
    expect(dataset.features).toEqual(new DenseMatrix(2, 3, Float32Array.of(1, 2, 3, 4, 5, 6)))
  })

  it('reads one dimension as a matrix of one column', async () => {
    const dataset = await read(file(dictionary('|u1', '(3,)'), [7, 8, 9]))
    expect(dataset.features).toEqual(new DenseMatrix(3, 1, Uint8Array.of(7, 8, 9)))
  })

  it('reads a matrix stored column by column', async () => {
    const dataset = await read(file(dictionary('|u1', '(2, 3)', true), [1, 4, 2, 5, 3, 6]))
    expect(dataset.features).toEqual(new DenseMatrix(2, 3, Uint8Array.of(1, 2, 3, 4, 5, 6)))
  })

  it('reads the headers of versions 2 and 3', async () => {
    for (const version of [2, 3]) {
      expect((await read(file(dictionary('|u1', '(1, 2)'), [1, 2], version))).rows).toBe(1)
    }
  })

  it.each<[string, ArrayLike<number>, DenseValues]>([
    ['|b1', [0, 1], Uint8Array.of(0, 1)],
    ['|u1', [0, 255], Uint8Array.of(0, 255)],
    ['|i1', [1, 255], Int32Array.of(1, -1)],
    ['<u2', [1, 0, 255, 255], Int32Array.of(1, 65535)],
    ['>i2', [0, 1, 255, 254], Int32Array.of(1, -2)],
    ['<i4', bytesFrom(Int32Array.of(5, -6)), Int32Array.of(5, -6)],
    ['>i4', [0, 0, 0, 5, 0, 0, 1, 0], Int32Array.of(5, 256)],
    ['<u4', bytesFrom(Uint32Array.of(5, 2 ** 31 - 1)), Int32Array.of(5, 2 ** 31 - 1)],
    ['<i8', bytesFrom(BigInt64Array.of(-5n, 6n)), Int32Array.of(-5, 6)],
    ['<u8', bytesFrom(BigUint64Array.of(5n, 6n)), Int32Array.of(5, 6)],
    ['<f2', [0x00, 0x3c, 0x00, 0xc5], Float32Array.of(1, -5)],
    ['<f2', [0x01, 0x00, 0xff, 0x7b], Float32Array.of(2 ** -24, 65504)],
    ['>f4', [0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0], Float32Array.of(1, -2)],
    ['<f8', bytesFrom(Float64Array.of(0.1, -2)), Float32Array.of(0.1, -2)],
  ])('reads numbers of type %s', async (type, data, expected) => {
    expect(await readValues(type, data)).toEqual(expected)
  })

  it.each<[string, string, ArrayLike<number>, string]>([
    [
      'NaN',
      '<f4',
      bytesFrom(Float32Array.of(1, Number.NaN)),
      'row 0, column 1 is NaN, expected a finite 32-bit number',
    ],
    ['-Infinity', '<f8', bytesFrom(Float64Array.of(1, -Infinity)), 'row 0, column 1 is -Infinity'],
    ['a float beyond 32 bits', '<f8', bytesFrom(Float64Array.of(1e39, 1)), 'row 0, column 0 is 1e+39'],
    ['an infinite half', '<f2', [0, 0, 0x00, 0x7c], 'row 0, column 1 is Infinity'],
    ['a half that is no number', '<f2', [0, 0, 0x01, 0x7c], 'row 0, column 1 is NaN'],
    [
      'a large unsigned number',
      '<u4',
      bytesFrom(Uint32Array.of(1, 2 ** 31)),
      'row 0, column 1 is 2147483648, expected',
    ],
    [
      'a large 64-bit number',
      '<i8',
      bytesFrom(BigInt64Array.of(-(2n ** 40n), 1n)),
      'row 0, column 0 is -1099511627776',
    ],
  ])('refuses %s, with row and column', async (_, type, data, message) => {
    await expect(readValues(type, data)).rejects.toMatchObject({
      code: 'BAD_DATA',
      where: { file: 'a.npy' },
      message: expect.stringContaining(message),
    })
  })
})

describe('bad npy', () => {
  const good = file(dictionary('<f4', '(2, 2)'), bytesFrom(Float32Array.of(1, 2, 3, 4)))

  it('says in which row a truncated file ends', async () => {
    await expect(read(good.subarray(0, -1))).rejects.toThrow('the file ends in row 1, expected 2 rows of 2 numbers')
    await expect(read(file(dictionary('>f4', '(2, 2)'), [0, 0, 0, 0]))).rejects.toThrow('the file ends in row 0')
  })

  it('refuses a file cut anywhere', async () => {
    for (let length = 0; length < good.length; length++) {
      await expect(read(good.subarray(0, length))).rejects.toMatchObject({ code: 'BAD_DATA' })
    }
  })

  it('refuses bytes behind the last number', async () => {
    await expect(read(Uint8Array.of(...good, 0))).rejects.toThrow(
      'there are more bytes after the last of the 2 × 2 numbers',
    )
  })

  it.each([
    ['a wrong magic', Uint8Array.of(0x50, ...good.subarray(1)), 'the file does not begin with \\x93NUMPY'],
    ['a version it does not know', file(dictionary('|u1', '(1,)'), [1], 9), 'the header is of version 9'],
    ['three dimensions', file(dictionary('|u1', '(1, 1, 1)'), [1]), 'the array has 3 dimensions, expected 1 or 2'],
    ['a single number', file(dictionary('|u1', '()'), [1]), 'the array has 0 dimensions'],
    ['complex numbers', file(dictionary('<c8', '(1,)'), [1]), 'the numbers are of type c8, expected one of b1, u1'],
    ['objects', file(dictionary('|O', '(1,)'), [1]), 'the numbers are of type O'],
    ['records', file(`{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }`, [1]), 'the header is'],
  ])('refuses %s', async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toMatchObject({ code: 'BAD_DATA', message: expect.stringContaining(message) })
  })

  it('refuses a matrix that no memory holds, before it makes room for it', async () => {
    const bytes = file(dictionary('<f4', '(9000000000, 9)'), [])
    await expect(read(bytes)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' })
  })
})

describe('writing npy', () => {
  it('makes the numbers begin at a multiple of 64', async () => {
    const bytes = await write({ name: 'a', rows: 1, features: new DenseMatrix(1, 1, Uint8Array.of(9)) })
    expect(bytes.length % 64).toBe(1)
    expect(bytes.at(-2)).toBe(10)
  })

  it('refuses sparse features and none', async () => {
    await expect(write({ name: 'a', rows: 1, features: SparseMatrix.from([[]]) })).rejects.toThrow('sparse features')
    await expect(write({ name: 'a', rows: 1, texts: ['x'] })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  it('reads back what it has written', async () => {
    const kinds = fc.constantFrom(Float32Array, Uint8Array, Int32Array)
    const numbers = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(kinds, numbers, fc.integer({ min: 1, max: 3 }), async (Kind, list, columns) => {
        const rows = Math.floor(list.length / columns)
        const features = new DenseMatrix(rows, columns, Kind.from(list.slice(0, rows * columns)))
        const dataset = { name: 'a.npy', rows, features }
        expect(await read(await write(dataset))).toEqual(dataset)
      }),
    )
  })

  it('is recognized by its magic', async () => {
    expect(
      npy.recognize(await write({ name: 'a', rows: 0, features: new DenseMatrix(0, 1, new Float32Array(0)) })),
    ).toBe(true)
    expect(npy.recognize(bytesOf('NUMPY'))).toBe(false)
  })
})

describe('npy that asks too much', () => {
  it.each([
    ['(9007199254740991, 0)', 'its rows have no numbers'],
    ['(3, 0)', 'its rows have no numbers'],
    ['(99999999999999999999, 1)', 'expected whole numbers below 2⁵³'],
    [`(${'9'.repeat(400)}, 0)`, 'expected whole numbers below 2⁵³'],
    ['(2147483648, 2147483648)', 'does not fit in one memory'],
  ])('refuses the shape %s', async (shape, words) => {
    const header = dictionary('<f4', shape)
    const length = [header.length & 255, header.length >> 8]
    const bytes = Uint8Array.of(0x93, ...bytesOf('NUMPY'), 1, 0, ...length, ...bytesOf(header))
    await expect(read(bytes)).rejects.toThrow(words)
  })

  it('refuses a header that is longer than headers are', async () => {
    const bytes = Uint8Array.of(0x93, ...bytesOf('NUMPY'), 2, 0, 255, 255, 255, 255, 0)
    await expect(read(bytes)).rejects.toThrow('the header has 4294967295 bytes, expected at most 1048576')
  })
})
