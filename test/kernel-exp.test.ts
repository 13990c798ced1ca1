// Kernels that are part of others are compiled alone to be tested.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import asc from 'assemblyscript/asc'
import fc from 'fast-check'
import { expect, it } from 'vitest'

const source = readFileSync(join(import.meta.dirname, '../packages/core/assembly/exp.ts'), 'utf8')

async function compiledExp(): Promise<(x: number) => number> {
  const all = `${source}\nexport function value(x: f32): f32 {\n  return expOf(x)\n}`
  let wasm = new Uint8Array()
  const { error, stderr } = await asc.main(['all.ts', '--outFile', 'out.wasm', '--runtime', 'stub'], {
    readFile: name => (name === 'all.ts' ? all : null),
    writeFile: (_, contents) => {
      if (typeof contents !== 'string') wasm = new Uint8Array(contents)
    },
    listFiles: () => [],
  })
  expect(error, stderr.toString()).toBeNull()
  const { instance } = await WebAssembly.instantiate(wasm, { env: { abort: () => undefined } })
  return instance.exports.value as (x: number) => number
}

it('the exponential function of learning is exact to seven digits, and stops growing beyond 87', async () => {
  const exp = await compiledExp()
  fc.assert(
    fc.property(fc.float({ min: -87, max: 87, noNaN: true }), x => {
      expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(3e-7)
    }),
    { numRuns: 20_000 },
  )
  expect(exp(0)).toBe(1)
  expect([exp(1000), exp(Number.POSITIVE_INFINITY)]).toEqual([exp(87), exp(87)])
  expect([exp(-1000), exp(Number.NEGATIVE_INFINITY)]).toEqual([exp(-87), exp(-87)])
  expect(exp(Number.NaN)).toBeNaN()
})
