// Blocks are laid out twice: by tools/kernel-blocks.mjs for TypeScript, and by the AssemblyScript compiler for the kernels.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import asc from 'assemblyscript/asc'
import { expect, it } from 'vitest'
// @ts-expect-error: a plain script without types
import { parseBlocks, printBlocks } from '../tools/kernel-blocks.mjs'

interface Parsed {
  readonly name: string
  readonly bytes: number
  readonly fields: readonly { readonly name: string; readonly offset: number }[]
}

const folder = join(import.meta.dirname, '../packages/core/assembly/blocks')
const files = readdirSync(folder)

/** Runs AssemblyScript over the blocks and returns the numbers that the expressions give. */
async function evaluate(blocks: ReadonlyMap<string, readonly Parsed[]>, expressions: readonly string[]) {
  const imports = [...blocks].map(([file, found]) => {
    return `import { ${found.map(({ name }) => name).join(', ')} } from './${file.replace('.ts', '')}'`
  })
  const list = expressions.map(expression => `<u32>${expression}`).join(', ')
  const source = `${imports.join('\n')}\nexport function value(i: u32): u32 {\n  const values: StaticArray<u32> = [${list}]\n  return values[i]\n}`
  const sources = new Map([
    ['all.ts', source],
    ...files.map(file => [file, readFileSync(join(folder, file), 'utf8')] as const),
  ])
  let wasm = new Uint8Array()
  const { error, stderr } = await asc.main(['all.ts', '--outFile', 'out.wasm', '--runtime', 'stub'], {
    readFile: name => sources.get(name) ?? null,
    writeFile: (_, contents) => {
      if (typeof contents !== 'string') wasm = new Uint8Array(contents)
    },
    listFiles: () => [],
  })
  expect(error, stderr.toString()).toBeNull()
  const { instance } = await WebAssembly.instantiate(wasm, { env: { abort: () => undefined } })
  const value = instance.exports.value as (i: number) => number
  return expressions.map((_, i) => value(i))
}

it('every field is where the AssemblyScript compiler puts it', async () => {
  const blocks = new Map<string, readonly Parsed[]>(
    files.map(file => [file, parseBlocks(file, readFileSync(join(folder, file), 'utf8')).blocks]),
  )
  const fields = [...blocks.values()].flat().flatMap(({ name, fields }) => {
    return fields.map(field => ({ place: `offsetof<${name}>('${field.name}')`, offset: field.offset }))
  })
  const found = await evaluate(
    blocks,
    fields.map(({ place }) => place),
  )
  expect(fields.map(({ place }, i) => `${place} is ${found[i]}`)).toEqual(
    fields.map(({ place, offset }) => `${place} is ${offset}`),
  )
  expect(fields.length).toBeGreaterThan(80)
})

const header = '/** A pair. */\n@unmanaged\nexport class Pair {\n'

it('a class becomes a type, a writer and the places of its fields', () => {
  const parsed = parseBlocks('pair.ts', `${header}  /** How many. */\n  count: u32\n  rate: f32\n}\n`)
  const printed = printBlocks('pair.ts', parsed)
  expect(printed).toContain('export interface PairBlock {\n  /** How many. */\n  readonly count: number')
  expect(printed).toContain('    words[0] = block.count\n    words[1] = floatBits(block.rate)')
  expect(printed).toContain('export const pairAt = { count: 0 } as const')
})

it.each([
  ['count: u16\n}', 'pair.ts:4: count is a u16, expected a class or one of u32, i32, usize, f32, f64'],
  ['count = 3\n}', "pair.ts:4: expected a field, such as 'k: u32', found 'count = 3'"],
  [
    'count: u32\n}\nexport function f(): void {}',
    "pair.ts:6: blocks are classes and numbers, found 'export function f(): void {}'",
  ],
  [
    'count: u32\n}\n@unmanaged\nexport class Three extends Two {\n}',
    'pair.ts:7: Three extends Two, which is not in this file',
  ],
  ['count: u32\n}\nexport class Two {\n}', 'pair.ts:6: the class Two needs @unmanaged in the line before it'],
])('%j is refused with its place', (body, message) => {
  expect(() => parseBlocks('pair.ts', header + body)).toThrow(message)
})
