import type { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, it } from 'vitest'
import { memoryKernels } from '../kernels/sets/memory.ts'
import { vectorKernels } from '../kernels/sets/vectors.ts'
import type { Progress } from '../long-work.ts'
import { Engine } from './engine.ts'

const engine = new Engine()
afterAll(() => engine.close())

/** Squared lengths of 64 rows, one job a row, by 1, 2 and 3 threads. */
function lengthJobs(owner: Engine) {
  const dims = 1000
  const rows = owner.arena.allocate(Float32Array, 64 * dims)
  rows.array.forEach((_, i) => {
    rows.array[i] = (i % 13) / 7
  })
  const out = owner.arena.allocate(Float32Array, 64)
  const jobs = Array.from({ length: 64 }, (_, i) => {
    const row = rows.pointer + 4 * dims * i
    return [row, row, 1, dims, out.pointer + 4 * i]
  })
  return { jobs, out }
}

describe('the worker pool', () => {
  it('gives the same bits for any number of threads', async () => {
    const { jobs, out } = lengthJobs(engine)
    const answers: string[] = []
    for (const threads of [1, 2, 3]) {
      out.array.fill(0)
      await engine.pool(threads).run(vectorKernels, 'dotScan', jobs)
      answers.push(out.array.join())
    }
    expect(new Set(answers).size).toBe(1)
    expect(out.array[0]).toBeCloseTo(
      Array.from({ length: 1000 }, (_, j) => ((j % 13) / 7) ** 2).reduce((a, b) => a + b),
      2,
    )
  })

  it('returns what the kernel returned, in the order of the jobs', async () => {
    const indices = engine.arena.place(Uint32Array.of(0))
    const values = engine.arena.place(Float32Array.of(1, 2, 3, 4, 5))
    const dense = engine.arena.place(Float32Array.of(10))
    const jobs = [0, 1, 2, 3, 4].map(i => [indices.pointer, values.pointer + 4 * i, 1, dense.pointer])
    for (const threads of [1, 2]) {
      expect([...(await engine.pool(threads).run(vectorKernels, 'sparseDot', jobs))]).toEqual([10, 20, 30, 40, 50])
    }
  })

  it('works without shared memory, on one thread', async () => {
    const alone = new Engine({ shared: false })
    const { jobs, out } = lengthJobs(alone)
    expect(alone.pool(4).threads).toBe(1)
    await alone.pool().run(vectorKernels, 'dotScan', jobs)
    expect(out.array.every(sum => sum > 0)).toBe(true)
  })

  it.each([1, 2])('reports progress up to the end, on %i threads', async threads => {
    const { jobs } = lengthJobs(engine)
    const seen: Progress[] = []
    await engine
      .pool(threads)
      .run(vectorKernels, 'dotScan', jobs, { what: 'measuring', onProgress: progress => seen.push(progress) })
    expect(seen.at(-1)).toEqual({ what: 'measuring', done: 64, total: 64 })
  })

  it.each([1, 2])('stops at the signal and can be used again, on %i threads', async threads => {
    const pool = engine.pool(threads)
    const { jobs } = lengthJobs(engine)
    const all = engine.arena.allocate(Float32Array, 64)
    const many = Array.from({ length: 50_000 }, () => [jobs[0][0], jobs[0][0], 64, 1000, all.pointer])
    const controller = new AbortController()
    const run = pool.run(vectorKernels, 'dotScan', many, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    })
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' })
    await expect(pool.run(vectorKernels, 'dotScan', jobs, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    })
    expect(await pool.run(vectorKernels, 'dotScan', jobs)).toHaveLength(64)
  })

  it.each([1, 2])('rejects with what onProgress threw and can be used again, on %i threads', async threads => {
    const pool = engine.pool(threads)
    const { jobs } = lengthJobs(engine)
    const all = engine.arena.allocate(Float32Array, 64)
    const many = Array.from({ length: 50_000 }, () => [jobs[0][0], jobs[0][0], 64, 1000, all.pointer])
    const fault = new Error('mine')
    const onProgress = () => {
      throw fault
    }
    await expect(pool.run(vectorKernels, 'dotScan', many, { onProgress })).rejects.toBe(fault)
    expect(await pool.run(vectorKernels, 'dotScan', jobs)).toHaveLength(64)
  })

  it('ends threads that do not hear the signal within a moment, and starts new ones', async () => {
    const pool = engine.pool(2)
    const [size, count] = [4096, 2 ** 18]
    const features = engine.arena.place(Uint32Array.from({ length: size }, (_, i) => i))
    const values = engine.arena.allocate(Float32Array, size)
    const [zeros, out] = [engine.arena.allocate(Uint32Array, count), engine.arena.allocate(Float32Array, count)]
    const sizes = engine.arena.place(Uint32Array.of(size))
    const key = [features.pointer, values.pointer]
    // Some seconds: 2¹⁸ times the same key, 4096 features long.
    const long = [...key, zeros.pointer, sizes.pointer, zeros.pointer, count, ...key, size, out.pointer]
    const stop = new AbortController()
    const run = pool.run(memoryKernels, 'keyScores', [long, long], { signal: stop.signal })
    setTimeout(() => stop.abort(), 50)
    const start = performance.now()
    await expect(run).rejects.toMatchObject({ code: 'ABORTED' })
    expect(performance.now() - start).toBeLessThan(1000)
    expect(await pool.run(vectorKernels, 'dotScan', lengthJobs(engine).jobs)).toHaveLength(64)
  })

  it('does not wait for a thread that died, idle or at work: the next run starts another', async () => {
    const made = catchWorkers()
    const owner = new Engine()
    try {
      const [pool, { jobs }] = [owner.pool(2), lengthJobs(owner)]
      await pool.run(vectorKernels, 'dotScan', jobs)
      await made[0]?.terminate()
      expect(await pool.run(vectorKernels, 'dotScan', jobs)).toHaveLength(64)
      const all = owner.arena.allocate(Float32Array, 64)
      const many = Array.from({ length: 50_000 }, () => [jobs[0][0], jobs[0][0], 64, 1000, all.pointer])
      const run = pool.run(vectorKernels, 'dotScan', many)
      setTimeout(() => made.at(-1)?.terminate(), 20)
      await expect(run).rejects.toMatchObject({
        code: 'WORKER_LOST',
        message: expect.stringContaining('a worker thread ended'),
      })
      expect(await pool.run(vectorKernels, 'dotScan', jobs)).toHaveLength(64)
      expect(made).toHaveLength(4)
    } finally {
      made.restore()
      await owner.close()
    }
  })

  it('gives every thread its own scratch and takes it back', async () => {
    const used = engine.arena.usedBytes
    const scratchJobs = Array.from({ length: 10 }, () => [0, 0, 0])
    // sparseDot(scratch, 0, 0, 0): no entries, so the answer is 0 whatever the scratch address is.
    expect(await engine.pool(2).run(vectorKernels, 'sparseDot', scratchJobs, { scratchBytes: 1000 })).toEqual(
      new Float64Array(10),
    )
    expect(engine.arena.usedBytes).toBe(used)
  })

  it('reports a kernel that fails as our bug', async () => {
    const outside = [[2 ** 32 - 4, 2 ** 32 - 4, 1, 1000, 2 ** 32 - 4]]
    await expect(engine.pool(2).run(vectorKernels, 'dotScan', [...outside, ...outside])).rejects.toMatchObject({
      code: 'INTERNAL',
    })
  })

  it.each([0, 1.5, 1000])('refuses %d threads', threads => {
    expect(() => engine.pool(threads)).toThrow(`threads is ${threads}, expected a whole number from 1 to 256`)
  })
})

/** All workers that are started from now on, until `restore`. */
function catchWorkers(): Worker[] & { restore(): void } {
  const threads = process.getBuiltinModule('node:worker_threads')
  const made: Worker[] = []
  const original = threads.Worker
  threads.Worker = class extends original {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args)
      made.push(this)
    }
  }
  return Object.assign(made, { restore: () => Object.assign(threads, { Worker: original }) })
}
