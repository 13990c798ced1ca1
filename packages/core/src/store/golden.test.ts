// The golden files: one for each version of the format, kept forever. A test that fails here means that files people have
// can no longer be read, or that the same model gives other bytes: decide, do not update.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readModel } from './files/model-file.ts'
import type { ModelContents } from './header.ts'
import { tensor1d } from './tensor.ts'
import { encodeModel } from './write-model.ts'

const golden: ModelContents = {
  method: 'golden',
  options: { k: 3, metric: 'cosine', weights: [0.25, 0.75] },
  meta: { labelNames: ['sea', 'ship', 'Ærø'], pipeline: null },
  tensors: {
    f64: tensor1d(Float64Array.of(Math.PI, -0, Number.POSITIVE_INFINITY)),
    f32: { array: Float32Array.of(1, 2, 3, 4, 5, 6), shape: [3, 2] },
    i32: tensor1d(Int32Array.of(-1, 2_147_483_647)),
    u32: tensor1d(Uint32Array.of(4_294_967_295)),
    i16: tensor1d(Int16Array.of(-32_768)),
    u16: tensor1d(Uint16Array.of(65_535)),
    i8: tensor1d(Int8Array.of(-128, 127)),
    u8: tensor1d(Uint8Array.of(0, 255, 1)),
    empty: { array: new Float32Array(0), shape: [0, 4] },
    scalar: { array: Float64Array.of(42), shape: [] },
  },
}

describe('the golden file of version 1', () => {
  const path = join(import.meta.dirname, 'golden', 'v1.vicinal')

  it('is read as it was written', async () => {
    expect(await readModel(path)).toEqual(golden)
  })

  it('has the bytes we write today', async () => {
    expect(Buffer.concat(encodeModel(golden))).toEqual(await readFile(path))
  })
})
