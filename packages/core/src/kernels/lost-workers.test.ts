// What happens if worker threads do not start, or end before their work is done: in Node. test/browser.test.ts has the browser's part.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { vectorKernels } from '../kernels/sets/vectors.ts'
import { Engine, type EngineOptions } from './engine.ts'

const threads = process.getBuiltinModule('node:worker_threads')
const { Worker } = threads
/** All workers that were started, to end them as the system would. */
const started: InstanceType<typeof Worker>[] = []
let folder: string

beforeAll(() => {
  threads.Worker = class extends Worker {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      super(...given)
      started.push(this)
    }
  }
  folder = mkdtempSync(join(tmpdir(), 'vicinal-workers-'))
})
afterAll(() => {
  threads.Worker = Worker
  rmSync(folder, { recursive: true })
})

/** The place of a worker's script. */
function scriptOf(name: string, source: string): URL {
  writeFileSync(join(folder, name), `import { parentPort } from 'node:worker_threads'\n${source}`)
  return pathToFileURL(join(folder, name))
}

/** Rows 0 … 63 times themselves, one job a row; row i is i + 1, four times. */
function squares(engine: Engine) {
  const rows = engine.arena.place(Float32Array.from({ length: 256 }, (_, e) => 1 + Math.floor(e / 4)))
  const out = engine.arena.allocate(Float32Array, 64)
  const jobs = Array.from({ length: 64 }, (_, i) => [
    ...[rows.pointer + 16 * i, rows.pointer + 16 * i, 1, 4],
    out.pointer + 4 * i,
  ])
  const expected = Array.from({ length: 64 }, (_, i) => 4 * (i + 1) ** 2)
  return { jobs, expectDone: () => expect([...out.array]).toEqual(expected) }
}

/** Some seconds of work for a thread. */
function longJobs(engine: Engine): number[][] {
  const [rows, dims] = [4096, 64]
  const place = engine.arena.allocate(Float32Array, rows * dims).pointer
  const out = engine.arena.allocate(Float32Array, rows).pointer
  return Array.from({ length: 100_000 }, () => [place, place, rows, dims, out])
}

async function expectWorks(engine: Engine): Promise<void> {
  const { jobs, expectDone } = squares(engine)
  await engine.pool(2).run(vectorKernels, 'dotScan', jobs)
  expectDone()
}

describe('worker threads that cannot be started', () => {
  it.each<[string, () => EngineOptions]>([
    ['whose script is not there', () => ({ workerUrl: pathToFileURL(join(folder, 'nowhere.mjs')) })],
    ['whose script throws', () => ({ workerUrl: scriptOf('throws.mjs', "throw new Error('forbidden')") })],
    ['whose script ends', () => ({ workerUrl: scriptOf('ends.mjs', 'process.exit(0)').href })],
    ['whose URL is none', () => ({ workerUrl: 'worker.mjs' })],
  ])('%s: the work is done here, and a warning says so, once', async (_, options) => {
    const warnings: string[] = []
    const engine = new Engine({ ...options(), onWarning: message => warnings.push(message) })
    for (let i = 0; i < 3; i++) await expectWorks(engine)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatch(/^No worker thread could be started, so everything runs on this thread.* The reason: /)
    await engine.close()
    await expectWorks(engine)
  })

  it('warn on the console where nobody listens', async () => {
    const warned = new Promise<Error>(resolve => process.once('warning', resolve))
    const engine = new Engine({ workerUrl: scriptOf('silent.mjs', 'process.exit(0)') })
    await expectWorks(engine)
    expect(await warned).toMatchObject({ name: 'VicinalWarning', message: expect.stringContaining('No worker thread') })
  })

  it('leave the work to those that could', async () => {
    const source = `import { mkdirSync } from 'node:fs'
      try { mkdirSync(${JSON.stringify(join(folder, 'first'))}) } catch { process.exit(1) }
      parentPort.on('message', ({ module, control, results, args }) => {
        if (module) return parentPort.postMessage({ ready: true })
        results.forEach((_, i) => { results[i] = args[i] })
        parentPort.postMessage({})
      })`
    const warnings: string[] = []
    const engine = new Engine({
      workerUrl: scriptOf('first.mjs', source),
      onWarning: message => warnings.push(message),
    })
    const answers = await engine.pool(3).run(vectorKernels, 'dotScan', [[7], [8], [9]])
    expect([...answers]).toEqual([7, 8, 9])
    expect(warnings).toEqual([expect.stringMatching(/^Only 1 of 3 worker threads could be started/)])
    await engine.close()
  })

  it('is refused, if the place of the script is no URL', () => {
    expect(() => new Engine({ workerUrl: 7 as never })).toThrow('workerUrl is 7, expected a URL')
  })
})

describe('worker threads that end in the middle of their work', () => {
  const lost = { name: 'EngineError', code: 'WORKER_LOST', message: expect.stringContaining('a worker thread ended') }

  it('fail the run with an error, whoever ended them, and the next run works', async () => {
    const engine = new Engine()
    await expectWorks(engine)
    const run = engine.pool(2).run(vectorKernels, 'dotScan', longJobs(engine))
    setTimeout(() => started.at(-1)?.terminate(), 20)
    await expect(run).rejects.toMatchObject(lost)
    await expectWorks(engine)
    await engine.close()
    await expectWorks(engine)
  })

  it('fail the run with an error if they crash', async () => {
    const crash = `parentPort.on('message', ({ module }) => module ? parentPort.postMessage({ ready: true }) : process.exit(3))`
    const engine = new Engine({ workerUrl: scriptOf('crash.mjs', crash) })
    for (let i = 0; i < 2; i++) {
      const run = engine.pool(2).run(vectorKernels, 'dotScan', squares(engine).jobs)
      await expect(run).rejects.toMatchObject({ ...lost, message: expect.stringContaining('exited with code 3') })
    }
    await expect(engine.pool(1).run(vectorKernels, 'dotScan', squares(engine).jobs)).resolves.toHaveLength(64)
  })

  it('are replaced if they had nothing to do', async () => {
    const engine = new Engine()
    await expectWorks(engine)
    await started.at(-1)?.terminate()
    await expectWorks(engine)
  })
})

describe('closing an engine', () => {
  it('rejects what its threads do with ABORTED, and it can be used again', async () => {
    const engine = new Engine()
    const starting = engine.pool(2).run(vectorKernels, 'dotScan', squares(engine).jobs)
    const closing = new Promise(resume => setTimeout(resume, 0)).then(() => engine.close())
    await expect(starting).rejects.toMatchObject({ code: 'ABORTED', message: expect.stringContaining('was closed') })
    await closing
    await expectWorks(engine)
    const run = engine.pool(2).run(vectorKernels, 'dotScan', longJobs(engine))
    setTimeout(() => engine.close(), 20)
    await expect(run).rejects.toMatchObject({ code: 'ABORTED', message: expect.stringContaining('was closed') })
    await expectWorks(engine)
  })
})
