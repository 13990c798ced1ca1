// Every method in workerd, the runtime of Cloudflare Workers: a worker bundled from the built packages, with the .wasm files beside it,
// served by the real process.

import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Engine } from '@vicinal/core'
import { build, type Plugin } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyAnswer } from './runtimes.cases.ts'

const wasm = join(import.meta.dirname, '../packages/core/dist/wasm')
const executable = await findWorkerd()
/** The modules that each method needs, as docs/browser.md lists them. All data here is dense or text. */
const forest = ['trees', 'forest', 'exact']
const needs: Record<string, readonly string[]> = {
  ExactIndex: ['exact'],
  ForestIndex: forest,
  'ForestIndex, tuned': forest,
  InvertedIndex: ['sparse'],
  SparseForestIndex: ['sparse', 'trees'],
  NetIndex: [],
  LcifClassifier: ['sparse', 'label'],
  ForestClassifier: ['trees', 'forest-label', 'label'],
  MarginClassifier: [],
  MemoryClassifier: ['memory'],
  MemoryTree: ['memory'],
  Collection: ['text', 'exact'],
}
const modules = [...new Set(Object.values(needs).flat())]

/** Its package has one optional package per system: not every registry has all of them. */
async function findWorkerd(): Promise<string | undefined> {
  try {
    // @ts-expect-error: the package has no types
    const { default: found } = await import('workerd')
    return found.default ?? found
  } catch (cause) {
    if (process.platform === 'linux') throw new Error('workerd is not installed: run npm ci', { cause })
    console.warn('No workerd for this system, so its tests do not run.')
    return undefined
  }
}

const moduleImports = modules.map((name, i) => `import module${i} from '@vicinal/core/wasm/${name}.wasm'`).join('\n')
const moduleTable = modules.map((name, i) => `'${name}': module${i}`).join(', ')
const worker = `
import { Engine, ExactIndex } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'
import { everyAnswer } from './runtimes.cases.ts'
${moduleImports}

const modules = { ${moduleTable} }
const needs = ${JSON.stringify(needs)}
const engineFor = method => new Engine({ modules: Object.fromEntries(needs[method].map(name => [name, modules[name]])) })
const requests = {
  '/methods': () => everyAnswer(engineFor),
  '/collection': async () => {
    const notes = Collection.create({ engine: engineFor('Collection') })
    await notes.upsert({ id: 'a', text: 'the ferry to Tallinn', vector: [1, 0] })
    await notes.upsert({ id: 'b', text: 'ice on the Baltic', vector: [0, 1] })
    const [byText, byVector] = [await notes.search({ text: 'ferry' }), await notes.search({ vector: [0, 1], k: 1 })]
    return [...byText, ...byVector].map(({ id }) => id)
  },
  '/without-modules': async () => (await ExactIndex.fit([[0, 0]])).search([1, 1], { k: 1 }),
}
export default {
  async fetch(request) {
    const answer = requests[new URL(request.url).pathname]
    return Response.json(await answer().catch(({ code, message, hint }) => ({ code, message, hint })))
  },
}`

/** Modules that are files stay imports, as in the bundles of Wrangler. */
const wasmFiles: Plugin = {
  name: 'wasm-files',
  setup({ onResolve }) {
    onResolve({ filter: /\.wasm$/ }, ({ path }) => ({ path: `./${basename(path)}`, external: true }))
  },
}

const config = (flag: string) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  compatibilityDate = "2026-01-01",
  compatibilityFlags = ["${flag}"],
  modules = [
    (name = "worker.mjs", esModule = embed "worker.mjs"),
    ${modules.map(name => `(name = "${name}.wasm", wasm = embed "${name}.wasm"),`).join('\n    ')}
  ],
);
`

/** Writes the worker and everything it needs into `folder`. */
async function writeWorker(folder: string, flag: string): Promise<void> {
  await build({
    stdin: { contents: worker, resolveDir: import.meta.dirname },
    outfile: join(folder, 'worker.mjs'),
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    plugins: [wasmFiles],
  })
  for (const name of modules) copyFileSync(join(wasm, `${name}.wasm`), join(folder, `${name}.wasm`))
  writeFileSync(join(folder, 'config.capnp'), config(flag))
}

/** Starts workerd; the port it listens on arrives as JSON on file descriptor 3. */
async function serve(path: string, folder: string): Promise<{ server: ChildProcess; port: number }> {
  const server = spawn(path, ['serve', '--control-fd=3', join(folder, 'config.capnp')], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  const port = await new Promise<number>((listening, failed) => {
    server.stdio[3]?.once('data', line => listening(JSON.parse(line).port))
    server.once('exit', code => failed(new Error(`workerd ended with code ${code}`)))
  })
  return { server, port }
}

const inNode = everyAnswer(() => new Engine())

describe.skipIf(!executable).each(['no_nodejs_compat', 'nodejs_compat'])('the built packages in workerd, %s', flag => {
  const folder = mkdtempSync(join(tmpdir(), 'vicinal-workerd-'))
  let server: ChildProcess | undefined
  let port = 0
  beforeAll(async () => {
    await writeWorker(folder, flag)
    ;({ server, port } = await serve(executable as string, folder)) // otherwise skipped
  })
  afterAll(() => {
    server?.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).json()

  it('search, label and remember as in Node, fitted and loaded, with the modules that the docs list', async () => {
    expect(await ask('/methods')).toEqual(await inNode)
    expect(Object.values(await inNode).flat()).not.toContain('[]')
  })

  it('find documents by words and by vectors', async () => {
    expect(await ask('/collection')).toEqual(['a', 'b'])
  })

  it('name the file to import if a module is missing', async () => {
    expect(await ask('/without-modules')).toEqual({
      code: 'UNSUPPORTED',
      message: "the WebAssembly module 'exact' cannot be compiled here",
      hint: expect.stringContaining("pass '@vicinal/core/wasm/exact.wasm' to new Engine({ modules })"),
    })
  })
})
