// Runs a TypeScript file of this repository: node tools/run.mjs bench/kernels.ts [arguments]. Packages are used as built.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const [file, ...rest] = process.argv.slice(2)
// Beside the file's own node_modules, so that packages resolve.
const folder = mkdtempSync(join(resolve(import.meta.dirname, '..', 'node_modules'), '.run-'))
try {
  const outfile = join(folder, 'run.mjs')
  const define = { 'import.meta.dirname': JSON.stringify(resolve(file, '..')) }
  await build({
    entryPoints: [file],
    outfile,
    define,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  process.exitCode = spawnSync(process.execPath, ['--expose-gc', outfile, ...rest], { stdio: 'inherit' }).status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
