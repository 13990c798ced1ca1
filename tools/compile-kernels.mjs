// Compiles one module of packages/core/assembly/modules, and reads the names of its functions.

import { join } from 'node:path'
import asc from 'assemblyscript/asc'
import { numberAt } from './wasm-sections.mjs'

export const core = join(import.meta.dirname, '..', 'packages', 'core')
const flags = [
  ...['--optimizeLevel', '3', '--noAssert', '--runtime', 'stub', '--importMemory', '--noExportMemory'],
  ...['--enable', 'simd', '--enable', 'bulk-memory', '--enable', 'threads', '--sharedMemory'],
  ...['--initialMemory', '16', '--maximumMemory', '65536'],
]
/**
 * Level 1 takes logarithms and powers without tables: those are kilobytes that no gzip makes smaller, and data in the memory. These
 * modules need none, and were 5 % faster at level 0 (for forest: k-d fits 7 % in two noisy runs, others within noise).
 */
const unshrunk = ['exact', 'forest', 'sparse', 'text', 'vectors']

/** `more`: further flags of the compiler. */
export async function compile(name, ...more) {
  const outputs = new Map()
  const own = ['--shrinkLevel', unshrunk.includes(name) ? '0' : '1']
  const { error, stderr } = await asc.main(
    [`assembly/modules/${name}.ts`, '--baseDir', core, '--outFile', 'out.wasm', ...flags, ...own, ...more],
    {
      writeFile: (file, contents) => outputs.set(file, contents),
    },
  )
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`)
  return outputs.get('out.wasm')
}

/** The names of a module's functions, such as walk/compare, by their numbers: profilers know the numbers alone. The code is the same with names. */
export async function functionNames(name) {
  const wasm = await compile(name, '--debug')
  const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(wasm), 'name')
  const bytes = new Uint8Array(section)
  let at = 0
  const next = () => {
    const { value, end } = numberAt(bytes, at)
    at = end
    return value
  }
  // The first part must be that of functions, number 1; its size is not needed.
  if (next() !== 1) throw new Error(`the names of ${name} do not begin with functions`)
  next()
  const names = new Map()
  for (let left = next(); left > 0; left--) {
    const [number, length] = [next(), next()]
    names.set(
      number,
      new TextDecoder()
        .decode(bytes.subarray(at, at + length))
        .split('/')
        .slice(-2)
        .join('/'),
    )
    at += length
  }
  return names
}
