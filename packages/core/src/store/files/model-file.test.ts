import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelContents } from '../header.ts'
import { inspectModel } from '../inspect-model.ts'
import type { JsonObject } from '../json.ts'
import { decodeModel } from '../read-model.ts'
import { arrayOver, bytesOf, type Dtype, elementBytes, type Tensor, tensor1d } from '../tensor.ts'
import { encodeModel } from '../write-model.ts'
import { readModel, writeModel } from './model-file.ts'

const elementSizes = { F64: 8, F32: 4, I32: 4, U32: 4, I16: 2, U16: 2, I8: 1, U8: 1 }
const dtypes = Object.keys(elementSizes) as Dtype[] // the keys are dtypes

const small: ModelContents = {
  method: 'lcif',
  options: { k: 30, weights: [0.5, 1e-9] },
  meta: { labelNames: ['apple', 'père "☃"'], pipeline: { stem: true }, rows: 3 },
  tensors: {
    scores: { array: Float32Array.of(1, -2.5, 3, 4, 5, 6), shape: [2, 3] },
    codes: tensor1d(Uint8Array.of(7, 8, 9)),
  },
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
})
afterAll(() => rm(folder, { recursive: true }))

const encode = (contents: ModelContents): Uint8Array => Buffer.concat(encodeModel(contents))

/** Tensors as bytes: NaN payloads count, and a shape is compared with its element type. */
function plain({ tensors, ...rest }: ModelContents): unknown {
  const entries = Object.entries(tensors).map(([name, { array, shape }]) => {
    return [name, { type: array.constructor.name, shape, bytes: [...bytesOf(array)] }]
  })
  return { ...rest, tensors: Object.fromEntries(entries) }
}

const tensor = fc
  .record({ dtype: fc.constantFrom(...dtypes), shape: fc.array(fc.nat(4), { maxLength: 3 }) })
  .chain(({ dtype, shape }) => {
    const length = shape.reduce((product, size) => product * size, elementBytes(dtype))
    const bytes = fc.uint8Array({ minLength: length, maxLength: length })
    return bytes.map((filled): Tensor => ({ array: arrayOver(filled.slice(), dtype), shape }))
  })
const json = fc
  .dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())
  .map(value => JSON.parse(JSON.stringify(value)) as JsonObject) // as JSON has no −0
const names = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('0', '10', '9', '__proto__', 'constructor'))
const contents = fc.record({
  method: fc.string(),
  options: json,
  meta: json,
  tensors: fc.array(fc.tuple(names, tensor)).map(entries => Object.fromEntries(entries)),
})

/** The rules of the official safetensors reader. */
function expectSafetensors(file: Uint8Array): void {
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true))
  expect(file[8]).toBe(0x7b)
  expect((8 + length) % 8).toBe(0)
  const { __metadata__, ...tensors } = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)))
  expect(Object.values(__metadata__).every(value => typeof value === 'string')).toBe(true)
  const entries = Object.values(tensors as Record<string, { dtype: Dtype; shape: number[]; data_offsets: number[] }>)
  const sorted = entries.sort((a, b) => a.data_offsets[0] - b.data_offsets[0] || a.data_offsets[1] - b.data_offsets[1])
  let end = 0
  for (const { dtype, shape, data_offsets } of sorted) {
    expect(data_offsets[0]).toBe(end)
    expect(data_offsets[0] % elementSizes[dtype]).toBe(0)
    end = data_offsets[0] + shape.reduce((product, size) => product * size, elementSizes[dtype])
    expect(data_offsets[1]).toBe(end)
  }
  expect(8 + length + end).toBe(file.length)
}

describe('a model file', () => {
  it('gives back what was written, in memory and on disk, as valid safetensors', async () => {
    const path = join(folder, 'round-trip.vicinal')
    await fc.assert(
      fc.asyncProperty(contents, async original => {
        const file = encode(original)
        expectSafetensors(file)
        expect(plain(decodeModel(file, 'memory'))).toEqual(plain(original))
        await writeModel(path, original, { overwrite: true })
        expect(await readFile(path)).toEqual(file)
        expect(plain(await readModel(path))).toEqual(plain(original))
      }),
      { numRuns: 60 },
    )
  })

  it('has the same bytes whatever order the tensors are given in', () => {
    const { codes, scores } = small.tensors
    expect(encode({ ...small, tensors: { codes, scores } })).toEqual(encode(small))
  })

  it('reads tensors longer than one read', async () => {
    const path = join(folder, 'long.vicinal')
    const array = Uint32Array.from({ length: 700_000 }, (_, i) => i * 6151)
    await writeModel(path, { ...small, tensors: { long: tensor1d(array), tail: tensor1d(Uint8Array.of(1)) } })
    const loaded = await readModel(path)
    expect(Buffer.compare(bytesOf(loaded.tensors.long.array), bytesOf(array))).toBe(0)
  })

  it('is not overwritten unless asked', async () => {
    const path = join(folder, 'kept.vicinal')
    await writeModel(path, small)
    await expect(writeModel(path, { ...small, method: 'gpt' })).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    expect((await readModel(path)).method).toBe('lcif')
  })

  it('tells what it holds without its tensors being read', async () => {
    const path = join(folder, 'inspected.vicinal')
    await writeModel(path, small)
    expect(await inspectModel(path)).toEqual({
      method: 'lcif',
      formatVersion: 1,
      options: { k: 30, weights: [0.5, 1e-9] },
      meta: { labelNames: '2 items', pipeline: '1 fields', rows: 3 },
      tensors: [
        { name: 'scores', dtype: 'F32', shape: [2, 3], bytes: 24 },
        { name: 'codes', dtype: 'U8', shape: [3], bytes: 3 },
      ],
      bytes: (await readFile(path)).length,
    })
  })

  it('is not written where a part of it would come back changed', async () => {
    const path = join(folder, 'never.vicinal')
    const write = (part: Partial<ModelContents>) => writeModel(path, { ...small, ...part })
    await expect(write({ options: { rate: Number.NaN } })).rejects.toThrow('options: "rate" is NaN')
    const wrong = { meta: { codes: Uint8Array.of(1) } } as unknown as Partial<ModelContents> // what types cannot stop
    await expect(write(wrong)).rejects.toThrow('meta: "codes" is Uint8Array')
    const hollow = { meta: { list: [1, undefined] } } as unknown as Partial<ModelContents>
    await expect(write(hollow)).rejects.toThrow('meta: "1" is Undefined')
    const misshapen = { array: new Float32Array(5), shape: [2, 3] }
    await expect(write({ tensors: { misshapen } })).rejects.toMatchObject({ code: 'DIMENSION_MISMATCH' })
    await expect(write({ tensors: { __metadata__: tensor1d(new Uint8Array(1)) } })).rejects.toThrow('must not be named')
    await expect(readFile(path)).rejects.toThrow('ENOENT')
  })

  it('that does not exist, or is a folder, is an error that names it', async () => {
    const path = join(folder, 'missing.vicinal')
    await expect(readModel(path)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND', where: { file: path } })
    await expect(inspectModel(folder)).rejects.toMatchObject({ code: 'FILE_ACCESS', where: { file: folder } })
  })
})
