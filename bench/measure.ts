// How we measure: contestants take turns, sample by sample, so that a noisy machine is noisy for all of them; the 10th
// percentile is reported and the raw samples can be kept.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

export interface Contestant {
  readonly name: string
  /** Does `units` units of work. */
  readonly run: () => void
}

/** Nanoseconds per unit of each contestant. */
export function measure(contestants: readonly Contestant[], units: number, samples = 60): Record<string, number> {
  const times = contestants.map(() => [] as number[])
  for (const { run } of contestants) for (let i = 0; i < 3; i++) run()
  for (let sample = 0; sample < samples; sample++) {
    contestants.forEach(({ run }, i) => {
      const begin = process.hrtime.bigint()
      run()
      times[i]?.push(Number(process.hrtime.bigint() - begin) / units)
    })
  }
  return Object.fromEntries(contestants.map(({ name }, i) => [name, percentile(times[i] ?? [], 0.1)]))
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}

/** Milliseconds that this process's main thread has had on a processor; what it waited for does not count. Linux only: elsewhere NaN. */
export function threadMillis(): number {
  try {
    const path = `/proc/self/task/${process.pid}/schedstat`
    return Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return Number.NaN
  }
}

/** The load before the run: what others do. At the end the run's own work is in it. */
const loadBefore = loadavg()[0]

/** The commit that was measured; 'and changes' says that files differ from it. Undefined without git. */
function commit(): string | undefined {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' })
  const { status, stdout } = git('rev-parse', '--short=12', 'HEAD')
  if (status !== 0) return undefined
  const changed = git('status', '--porcelain', '--untracked-files=no', '--', '..', ':!results').stdout !== ''
  return `${stdout.trim()}${changed ? ' and changes' : ''}`
}

/** What a result must say about where it was measured. */
export function machine(): Record<string, unknown> {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    loadBefore,
    load: loadavg()[0],
    node: process.version,
    commit: commit(),
    date: new Date().toISOString().slice(0, 10),
  }
}

/** Keeps a result as bench/results/<name>.json, where the documentation's tables come from. */
export function keepResult(name: string, result: Record<string, unknown>): void {
  const file = join(import.meta.dirname, 'results', `${name}.json`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ machine: machine(), ...result }, null, 2)}\n`)
  process.stderr.write(`wrote bench/results/${name}.json\n`)
}

/** Rounds for tables: three significant digits. */
export function short(value: number): number {
  return Number(value.toPrecision(3))
}

/**
 * Measures sets one after the other, each in its own process, so that none leaves memory or warm code to the next. Takes `--data <folder>` and
 * optionally `--sets a,b` from the command line; keeps the result of each set as `<name>-<set>`.
 */
export async function eachSet(
  name: string,
  sets: readonly string[],
  measureSet: (folder: string, set: string) => Promise<object>,
): Promise<void> {
  const { values } = parseArgs({
    options: { data: { type: 'string' }, sets: { type: 'string' }, only: { type: 'string' } },
  })
  const { data } = values
  if (!data) throw new Error('give the folder of the sets with --data')
  if (values.only) {
    console.log(JSON.stringify(await measureSet(data, values.only)))
    return
  }
  for (const set of sets.filter(set => !values.sets || values.sets.split(',').includes(set))) {
    const args = [process.argv[1] as string, '--data', data, '--only', set]
    const child = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (child.status !== 0) throw new Error(child.stderr)
    keepResult(`${name}-${set}`, JSON.parse(child.stdout))
  }
}
