// Whatever happens to a model file, reading it gives a clear error or the very same contents.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineError } from '../errors.ts'
import { readModel } from './files/model-file.ts'
import { inspectModel } from './inspect-model.ts'
import { decodeModel } from './read-model.ts'
import { tensor1d } from './tensor.ts'
import { encodeModel } from './write-model.ts'

const contents = {
  method: 'lcif',
  options: { k: 30 },
  meta: { labelNames: ['a', 'ö'] },
  tensors: {
    x: tensor1d(Float32Array.of(1, 2, 3)),
    y: { array: Uint16Array.of(4, 5), shape: [2, 1] },
    z: tensor1d(Uint8Array.of(6)),
  },
}
const file = new Uint8Array(Buffer.concat(encodeModel(contents)))

let path: string
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  path = join(folder, 'x.vicinal')
})
afterAll(() => rm(folder, { recursive: true }))

/** The error of reading `bytes`; fails where there is none, or one that is not ours. */
function errorOf(bytes: Uint8Array): EngineError {
  try {
    decodeModel(bytes, 'x.vicinal')
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  throw new Error('read without an error')
}

/** The same through the file system. */
async function fileErrorOf(bytes: Uint8Array): Promise<EngineError> {
  await writeFile(path, bytes)
  const error: unknown = await readModel(path).catch(error => error)
  if (error instanceof EngineError) return error
  throw new Error(`expected an EngineError, got ${error}`)
}

/** A file with the given header text, padded as it is. */
function withHeader(text: string, data = new Uint8Array(0)): Uint8Array {
  const json = new TextEncoder().encode(text)
  const bytes = new Uint8Array(8 + json.length + data.length)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true)
  bytes.set(json, 8)
  bytes.set(data, 8 + json.length)
  return bytes
}

const text = new TextDecoder().decode(file.subarray(8, file.length - 17))
const data = file.subarray(file.length - 17)
const clear = ['MODEL_DAMAGED', 'UNKNOWN_FORMAT', 'FORMAT_TOO_NEW']

describe('a damaged model file', () => {
  it('is found whichever bit of it is flipped', () => {
    for (let at = 0; at < file.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = file.slice()
        changed[at] ^= 1 << bit
        expect(clear, `byte ${at}, bit ${bit}`).toContain(errorOf(changed).code)
      }
    }
  })

  it('is found whatever one byte of it is set to', () => {
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = file.slice()
        changed[at] ^= flip
        expect(clear).toContain(errorOf(changed).code)
      }),
      { numRuns: 1000 },
    )
  })

  it('is found wherever it is cut, in memory and on disk', async () => {
    for (let length = 0; length < file.length; length++) {
      expect(clear, `${length} bytes`).toContain(errorOf(file.subarray(0, length)).code)
      expect(clear, `${length} bytes`).toContain((await fileErrorOf(file.subarray(0, length))).code)
    }
    expect(errorOf(file.subarray(0, -1)).message).toBe('x.vicinal: truncated: 16 bytes of data, expected 17')
  })

  it('is found when bytes were added', async () => {
    const longer = new Uint8Array(file.length + 2)
    longer.set(file)
    expect(errorOf(longer).message).toContain('2 bytes too many')
    expect((await fileErrorOf(longer)).message).toContain('2 bytes too many')
  })

  it('is found when its tensors were changed on disk, and the error says so', async () => {
    const changed = file.slice()
    changed[file.length - 5] ^= 1
    const error = await fileErrorOf(changed)
    expect(error.code).toBe('MODEL_DAMAGED')
    expect(error.message).toMatch(/x\.vicinal: the checksum is [0-9a-f]{8}, the header says [0-9a-f]{8}/)
    expect(error.hint).toContain('Copy it again')
  })

  it('is refused without allocating where its header claims 2⁶⁰ bytes', async () => {
    const changed = file.slice()
    new DataView(changed.buffer).setBigUint64(0, 2n ** 60n, true)
    expect(errorOf(changed).message).toContain(`should have ${2 ** 60} bytes`)
    expect((await fileErrorOf(changed)).code).toBe('MODEL_DAMAGED')
    await expect(inspectModel(path)).rejects.toMatchObject({ code: 'MODEL_DAMAGED' })
  })

  it.each([
    ['a shape of another size', '"shape":[3]', '"shape":[4]'],
    ['a shape that is no shape', '"shape":[3]', '"shape":"3"'],
    ['a negative shape', '"shape":[2,1]', '"shape":[-2,-1]'],
    ['a shape too large to count', '"shape":[3]', '"shape":[1e300,1e300]'],
    ['an unknown type', '"F32"', '"F16"'],
    ['a type every object has', '"F32"', '"constructor"'],
    ['offsets that are text', '[0,12]', '[0,"12"]'],
    ['a gap', '[12,16]', '[13,17]'],
    ['an overlap', '[12,16]', '[11,15]'],
    ['a tensor that is a number', /"z":\{.*?\}/, '"z":1'],
    ['options that are no object', '{\\"k\\":30}', '[1]'],
    ['no method', '"method":"lcif"', '"methods":"lcif"'],
  ])('is found by %s, before the checksum', (_case, from, to) => {
    const changed = text.replace(from, to)
    expect(changed).not.toBe(text)
    const error = errorOf(withHeader(changed, data))
    expect(error.code).toBe('MODEL_DAMAGED')
    expect(error.message).not.toContain('checksum')
  })

  it('is found when another program wrote the header anew', () => {
    const { __metadata__: metadata, ...tensors } = JSON.parse(text)
    const { format, ...others } = metadata
    const error = errorOf(withHeader(JSON.stringify({ ...tensors, __metadata__: { ...others, format } }), data))
    expect(error.message).toContain('rewritten, perhaps by another program')
  })
})

describe('a file that is no model of ours', () => {
  it('of a newer version is refused with both versions', () => {
    const error = errorOf(withHeader(text.replace('"formatVersion":"1"', '"formatVersion":"12"'), data))
    expect(error.code).toBe('FORMAT_TOO_NEW')
    expect(error.message).toContain('version 12, this Vicinal reads up to 1')
  })

  it('but a safetensors file of another program is called that', () => {
    const tensors = '"w":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}'
    const torch = errorOf(withHeader(`{"__metadata__":{"format":"pt"},${tensors}}`))
    expect(torch).toMatchObject({ code: 'UNKNOWN_FORMAT' })
    expect(torch.message).toContain('a safetensors file of another program ("pt")')
    expect(errorOf(withHeader(`{${tensors}}`)).message).toContain('another program, not a Vicinal model')
  })

  it.each([
    ['a gzip archive', gzipSync('hello, hello, hello')],
    ['JSON text', new TextEncoder().encode('{"text": "hello", "labels": ["a", "b"]}')],
    ['text', new TextEncoder().encode('3 2 4\n0,1 0:1.0 1:0.5\n2 0:1\n')],
    ['a NumPy array', Buffer.from('\x93NUMPY\x01\x00v\x00', 'latin1')],
    ['binary data of an unknown kind', new Uint8Array(32)],
  ])('but %s is called that', (kind, bytes) => {
    const error = errorOf(Uint8Array.from(bytes))
    expect(error.code).toBe('UNKNOWN_FORMAT')
    expect(error.message).toContain(kind)
  })

  it('never brings the reader down, whatever bytes it holds', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, asHeader) => {
        const random = asHeader ? withHeader(`{${new TextDecoder().decode(bytes)}`) : bytes
        expect(clear).toContain(errorOf(random).code)
      }),
    )
  })
})
