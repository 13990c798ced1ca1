// Compiles packages/core/assembly to two modules (all kernels in plain SIMD, a few in relaxed SIMD) and writes both into one
// TypeScript file, so that bundlers and browsers need no loader. As hexadecimal digits: gzip finds in them what repeats, which base64
// hides from it. The script of worker threads becomes text in TypeScript, for the same reason.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

const core = join(dirname(fileURLToPath(import.meta.url)), '..', 'packages', 'core')
const flags = [
  ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--noAssert', '--runtime', 'stub', '--importMemory'],
  ...['--enable', 'simd', '--enable', 'bulk-memory', '--enable', 'threads', '--sharedMemory'],
  ...['--initialMemory', '16', '--maximumMemory', '65536'],
]

async function compile(entry, extraFlags) {
  const outputs = new Map()
  const { error, stderr } = await asc.main(
    [`assembly/${entry}`, '--baseDir', core, '--outFile', 'out.wasm', ...flags, ...extraFlags],
    {
      writeFile: (name, contents) => outputs.set(name, contents),
    },
  )
  if (error) throw new Error(`${error.message}\n${stderr.toString()}`)
  return outputs.get('out.wasm')
}

/** Offset of the byte that says whether the imported memory is shared: the loader flips it where sharing is not to be had. */
function sharedFlagOffset(wasm) {
  let at = 8
  const number = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++]
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
  }
  while (wasm[at] !== 2) {
    at++
    const size = number()
    at += size
  }
  at++
  number() // size of the import section
  if (number() !== 1) throw new Error('the module must import its memory and nothing else')
  for (const _ of ['module', 'name']) {
    const length = number()
    at += length
  }
  if (wasm[at] !== 2 || wasm[at + 1] !== 3) throw new Error('the import is no shared memory')
  return at + 1
}

const modules = {
  plain: await compile('index.ts', []),
  relaxed: await compile('relaxed.ts', ['--enable', 'relaxed-simd']),
}
const lines = Object.entries(modules).map(([name, wasm]) => {
  const hex = Buffer.from(wasm).toString('hex')
  return `export const ${name} = { sharedFlagOffset: ${sharedFlagOffset(wasm)}, hex: '${hex}' }\n`
})
const folder = join(core, 'src', 'kernels', 'generated')
await mkdir(folder, { recursive: true })
const worker = await readFile(join(core, 'src', 'kernels', 'worker.mjs'), 'utf8')
await writeFile(
  join(folder, 'worker-source.ts'),
  `// Written by tools/build-kernels.mjs.\n\nexport const workerSource = ${JSON.stringify(worker)}\n`,
)
await writeFile(join(folder, 'modules.ts'), `// Written by tools/build-kernels.mjs.\n\n${lines.join('\n')}`)
