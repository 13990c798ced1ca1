import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ExactIndex } from '../search/exact/exact-index.ts'
import { Engine } from './engine.ts'
import { type KernelSet, setNames } from './modules/kernel-set.ts'
import { exactSearchKernels } from './sets/exact.ts'
import { forestKernels } from './sets/forest.ts'
import { forestLabelKernels } from './sets/forest-label.ts'
import { labelKernels } from './sets/label.ts'
import { memoryKernels } from './sets/memory.ts'
import { sparseKernels } from './sets/sparse.ts'
import { textKernels } from './sets/text.ts'
import { treeKernels } from './sets/trees.ts'
import { vectorKernels } from './sets/vectors.ts'

const sets: KernelSet<unknown>[] = [
  ...[vectorKernels, exactSearchKernels, treeKernels, forestKernels],
  ...[sparseKernels, labelKernels, forestLabelKernels, memoryKernels, textKernels],
]
const here = (file: string) => new URL(file, import.meta.url)
/** The names in the interface of a set. */
const declared = (name: string) =>
  [...readFileSync(here(`sets/${name}.ts`), 'utf8').matchAll(/^ {2}readonly (\w+):/gm)].map(match => match[1])
const compiled = (name: string) => new WebAssembly.Module(readFileSync(here(`generated/${name}.wasm`)))

describe.each(sets.map(set => [set.name, set] as const))('the kernel set %s', (name, set) => {
  it.each([true, false])('has every function of its interface and no other, shared memory: %s', shared => {
    const kernels = new Engine({ shared }).exactKernels(set) as object
    expect(Object.keys(kernels).sort()).toEqual(declared(name).sort())
  })

  it('is the same module as a file', () => {
    const engine = new Engine({ modules: { [name]: compiled(name) } })
    expect(engine.shared).toBe(false)
    expect(Object.keys(engine.exactKernels(set) as object).sort()).toEqual(declared(name).sort())
  })
})

it('sets are named as the list says', () => {
  expect(sets.map(set => set.name)).toEqual(setNames)
})

describe('an engine with given modules', () => {
  it('searches with them', async () => {
    const engine = new Engine({ modules: { exact: compiled('exact') } })
    const index = await ExactIndex.fit([[0, 0], [3, 4]], { engine }) // biome-ignore format: two points
    expect(index.search([3, 3], { k: 1 })).toEqual([{ id: 1, distance: 1 }])
  })

  it('compiles what was not given, where that is allowed', () => {
    const engine = new Engine({ modules: { exact: compiled('exact') } })
    expect(engine.exactKernels(memoryKernels).logistic(0)).toBe(0.5)
  })

  it('refuses the module of another set, by its name', () => {
    const engine = new Engine({ modules: { exact: compiled('forest') } })
    expect(() => engine.exactKernels(exactSearchKernels)).toThrow('modules.exact was not compiled from exact.wasm')
  })

  it.each([
    [{ modules: { exakt: compiled('exact') } }, "a name in modules is 'exakt', expected one of vectors, exact"],
    [
      { modules: { exact: new Uint8Array(8) } },
      'modules.exact is a Uint8Array of length 8, expected a WebAssembly.Module',
    ],
    [{ modules: compiled('exact') }, 'expected an object'],
    [{ modules: { exact: compiled('exact') }, shared: true }, 'shared is true, expected false when you give modules'],
  ])('refuses %o', (options, message) => {
    expect(() => new Engine(options as object)).toThrow(message)
  })
})
