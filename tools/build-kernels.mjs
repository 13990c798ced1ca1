// Compiles every file of packages/core/assembly/modules to a module of its own, so that a page ships only those it uses, and writes each
// twice: inlined in a TypeScript file, so that bundlers and browsers need no loader, and as a .wasm file for runtimes that compile
// nothing themselves. The script of worker threads becomes text in TypeScript, for the first reason. The blocks that TypeScript fills
// for the kernels (packages/core/assembly/blocks) get their TypeScript side.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { compile, core } from './compile-kernels.mjs'
import { parseBlocks, printBlocks } from './kernel-blocks.mjs'
import { checkStateless, sharedFlagOffset } from './wasm-sections.mjs'
import { wasmText } from './wasm-text.mjs'

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
