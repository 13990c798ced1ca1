// Compiles every file of packages/core/assembly/modules to a module of its own, so that a page ships only those it uses, and writes each
// twice: inlined in a TypeScript file, so that bundlers and browsers need no loader, and as a .wasm file for runtimes that compile
// nothing themselves. The script of worker threads becomes text in TypeScript, for the first reason. The blocks that TypeScript fills
// for the kernels (packages/core/assembly/blocks) get their TypeScript side.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'
import { transform } from 'esbuild'
import { parseBlocks, printBlocks } from './kernel-blocks.mjs'
import { checkStateless, sharedFlagOffset } from './wasm-sections.mjs'
import { wasmText } from './wasm-text.mjs'

const core = join(dirname(fileURLToPath(import.meta.url)), '..', 'packages', 'core')
const flags = [
  ...['--optimizeLevel', '3', '--noAssert', '--runtime', 'stub', '--importMemory', '--noExportMemory'],
  ...['--enable', 'simd', '--enable', 'bulk-memory', '--enable', 'threads', '--sharedMemory'],
  ...['--initialMemory', '16', '--maximumMemory', '65536'],
]
/**
 * Level 1 takes logarithms and powers without tables: those are kilobytes that no gzip makes smaller, and data in the memory. These
 * modules need none, and were 5 % faster at level 0 (for forest: k-d fits 7 % in two noisy runs, others within noise).
 */
const unshrunk = ['exact', 'forest', 'sparse', 'text', 'vectors', 'vectors-relaxed']

async function compile(name) {
  const outputs = new Map()
  const own = [
    ...['--shrinkLevel', unshrunk.includes(name) ? '0' : '1'],
    ...(name.endsWith('-relaxed') ? ['--enable', 'relaxed-simd'] : []),
  ]
  const { error, stderr } = await asc.main(
    [`assembly/modules/${name}.ts`, '--baseDir', core, '--outFile', 'out.wasm', ...flags, ...own],
    {
      writeFile: (file, contents) => outputs.set(file, contents),
    },
  )
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`)
  return outputs.get('out.wasm')
}

/** The module's two files: inlined, and for runtimes that want a file, which have no shared memory. */
async function moduleFiles(name) {
  const wasm = await compile(name)
  checkStateless(name, wasm)
  const at = sharedFlagOffset(wasm)
  const inlined = `export const wasm = { sharedFlagOffset: ${at}, text: '${wasmText(wasm)}' }`
  const unshared = Uint8Array.from(wasm)
  unshared[at] = 1
  return [
    [`${name}.ts`, `// Written by tools/build-kernels.mjs.\n\n${inlined}\n`],
    [`${name}.wasm`, unshared],
  ]
}

/** The TypeScript side of the blocks in assembly/blocks, one file each. Names are unique across files. */
async function blockFiles() {
  const folder = join(core, 'assembly', 'blocks')
  const names = new Map()
  const files = []
  for (const file of await readdir(folder)) {
    const parsed = parseBlocks(`assembly/blocks/${file}`, await readFile(join(folder, file), 'utf8'))
    for (const { name } of [...parsed.blocks, ...parsed.numbers]) {
      if (names.has(name)) throw new Error(`${name} is in assembly/blocks/${names.get(name)} and in ${file}`)
      names.set(name, file)
    }
    files.push([join('blocks', file), printBlocks(file, parsed)])
  }
  return files
}

// First, as they take no time and modules do not compile with blocks that are wrong.
const files = await blockFiles()
for (const file of await readdir(join(core, 'assembly', 'modules'))) {
  files.push(...(await moduleFiles(file.replace('.ts', ''))))
}
const folder = join(core, 'src', 'kernels', 'generated')
await rm(folder, { recursive: true, force: true })
await mkdir(join(folder, 'blocks'), { recursive: true })
const script = await readFile(join(core, 'src', 'kernels', 'worker.mjs'), 'utf8')
// Bundlers do not look into texts.
const { code: worker } = await transform(script, { minify: true })
files.push([
  'worker-source.ts',
  `// Written by tools/build-kernels.mjs.\n\nexport const workerSource = ${JSON.stringify(worker)}\n`,
])
for (const [name, contents] of files) await writeFile(join(folder, name), contents)
