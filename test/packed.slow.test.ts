// The packages as people get them: packed, installed into an empty project, compiled against with strict settings, and run. The other
// packages they need are packed from our node_modules, so that no registry is asked.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
let folder = ''
let installed = ''

interface Manifest {
  readonly name: string
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
}

function run(command: string, args: readonly string[], cwd = folder): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', shell: command === 'npm' })
  expect(status, `${command} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
  return stdout + stderr
}

const node = (...args: string[]): string => run(process.execPath, args)

/** The folder of a package, as `from` finds it. */
function placeOf(name: string, from: string): string | undefined {
  const places = [join(from, 'node_modules', name), join(root, 'node_modules', name)]
  return places.find(place => existsSync(join(place, 'package.json')))
}

/** Our packages and all they need, folders by name. */
function needed(): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (name: string, from: string, isOptional: boolean): void => {
    const place = placeOf(name, from)
    if (!place && !isOptional) throw new Error(`${name} is not installed`)
    if (!place || found.has(name)) return
    found.set(name, place)
    const manifest: Manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
    const optional = manifest.optionalDependencies ?? {}
    for (const other of Object.keys({ ...manifest.dependencies, ...optional })) visit(other, place, other in optional)
  }
  visit('vicinal', root, false)
  return found
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vicinal-packed-'))
  writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }')
  const tarballs = run('npm', [
    'pack',
    '--silent',
    '--ignore-scripts',
    '--pack-destination',
    folder,
    ...needed().values(),
  ])
  const files = tarballs
    .trim()
    .split(/\s+/)
    .filter(line => line.endsWith('.tgz'))
  installed = run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files.map(file => `./${file}`)])
}, 300_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = `
import { DenseMatrix, ExactIndex, type DenseSearchOptions } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { NetIndex } from '@vicinal/core/margin'
import { MemoryTree } from '@vicinal/core/memory'
import { isMemoryStore } from '@vicinal/server'
import { EngineError, LcifClassifier } from 'vicinal'

declare const console: { log(line: string): void }

const options: DenseSearchOptions = { k: 1 }
const index = await ExactIndex.fit(DenseMatrix.from([[0, 0], [3, 4]]))
console.log(index.search([3, 3], options).map(({ id, distance }) => id + ' at ' + distance).join())
index.free()
const memory = MemoryTree.create()
memory.insert('the disk is full', 'clear the cache')
console.log(String(memory.query('disk full')[0]?.value))
console.log([NetIndex.name, LcifClassifier.name, await isMemoryStore('nowhere')].join())
try {
  await readDataset('vectors.hdf5')
} catch (error) {
  if (!(error instanceof EngineError)) throw error
  console.log(error.code + ' ' + error.message + ' | ' + error.hint)
}
`

/** What consumers with the web's or Node's types may write on top. */
const withWeb = `
import { DenseMatrix, ExactIndex } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'

using index = await ExactIndex.fit(DenseMatrix.from([[0]]), { signal: AbortSignal.timeout(1000) })
const disposable: Disposable = index
export const sources = [disposable, readDataset(new URL('file:///a')), readDataset(new Blob([]))]
export const streamed = (bytes: ReadableStream<Uint8Array>, texts: ReadableStream<string>) => {
  // @ts-expect-error: streams are of bytes
  return [readDataset(bytes), readDataset(texts)]
}
// @ts-expect-error: a signal is not a number
export const wrong = ExactIndex.fit(DenseMatrix.from([[0]]), { signal: 3 })
`

function compile(source: string, compilerOptions: object): void {
  writeFileSync(join(folder, 'program.ts'), source)
  const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, target: 'es2022' }
  const config = {
    compilerOptions: { ...strict, lib: ['es2023'], types: [], ...compilerOptions },
    files: ['program.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  node(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '--project', folder)
}

// Compilers of a busy machine take their time.
describe('packed and installed', { timeout: 300_000 }, () => {
  it('warn of no install script of ours', () => {
    expect(installed).not.toMatch(/vicinal[^\n]*(install|prepare):/)
  })

  it('compile with strict types and ES2023 alone, and run', () => {
    writeFileSync(join(folder, 'vectors.hdf5'), Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a))
    compile(program, { module: 'node16' })
    expect(node('program.js').replaceAll('\r', '').split('\n')).toEqual([
      '1 at 1',
      'clear the cache',
      'NetIndex,LcifClassifier,false',
      'UNSUPPORTED vectors.hdf5: reading HDF5 needs the package h5wasm | Run npm install h5wasm, with -g if vicinal is installed globally.',
      '',
    ])
  })

  it('compile for bundlers', () => compile(program, { module: 'esnext', moduleResolution: 'bundler', noEmit: true }))

  it("take the web's own objects, with the DOM's types", () => {
    compile(withWeb, { module: 'nodenext', lib: ['es2023', 'dom', 'esnext.disposable'], noEmit: true })
  })

  it("take them with Node's types", () => {
    const types = join(folder, 'node_modules', '@types')
    mkdirSync(types, { recursive: true })
    // The libraries that read vocabularies bring Node's types with them.
    const own = join(types, 'node')
    if (!existsSync(own)) symlinkSync(join(root, 'node_modules', '@types', 'node'), own, 'junction')
    compile(withWeb, { module: 'nodenext', types: ['node'], preserveSymlinks: false, noEmit: true })
  })

  it('start the command', () => {
    expect(node(join('node_modules', 'vicinal', 'bin', 'vicinal.mjs'), '--version')).toMatch(/^\d+\.\d+\.\d+/)
  })
})
