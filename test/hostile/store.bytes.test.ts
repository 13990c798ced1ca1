// Stores with damaged bytes: whatever is changed or cut, a store is refused or holds what was acknowledged. It never ends the process,
// and never holds anything else.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Random } from '@vicinal/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caseCount, isLong, report } from './report.ts'
import { layOut, makeSamples, type StoreSample, tryStore } from './store.cases.ts'

const timeout = isLong ? 3_600_000 : 60_000

let folder: string
let samples: StoreSample[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  samples = await makeSamples()
})
afterAll(() => rm(folder, { recursive: true }))

interface Case {
  readonly what: string
  readonly sample: StoreSample
  readonly files: ReadonlyMap<string, Buffer>
  readonly allowed: readonly string[]
}

/** A case is made when it is tried: all of them at once would not fit into memory. */
type MakeCase = () => Case

/** Tries one in so many of the cases; returns the failures. */
async function tryCases(name: string, cases: readonly MakeCase[], few: number): Promise<string[]> {
  const step = isLong ? 1 : Math.max(1, cases.length / few)
  const failures: string[] = []
  let tried = 0
  for (let at = 0; at < cases.length; at += step) {
    const { what, sample, files, allowed } = (cases[Math.floor(at)] as MakeCase)()
    const path = join(folder, 'store')
    await layOut(path, files)
    const outcome = await tryStore(path, tried++ % 8 !== 0)
    if (!allowed.includes(outcome)) failures.push(`${sample.name}: ${what}: ${outcome.slice(0, 200)}`)
  }
  report({ name, tried, failed: failures.length })
  return failures
}

const changed = (sample: StoreSample, file: string, bytes: Buffer) => new Map([...sample.files, [file, bytes]])
const whole = ({ history }: StoreSample) => history.at(-1) as string
const but = ({ history }: StoreSample) => history.at(-2) as string

/** What may come out after a single change of a file. */
function allowedAfter(sample: StoreSample, file: string): string[] {
  // Opening ignores the claim of a writer that is gone, as long as it can be read.
  const same = ['refused', whole(sample)]
  return sample.name === 'without power' && file === 'log-3.bin' ? [...same, but(sample)] : same
}

describe('a store of which one file was damaged is refused, or holds what was acknowledged:', () => {
  it('every byte with another bit', { timeout }, async () => {
    const cases = samples.flatMap(sample =>
      [...sample.files].flatMap(([file, bytes]) =>
        Array.from(
          { length: Math.min(bytes.length, sample.used(file) + 40) },
          (_, at): MakeCase =>
            () => {
              const flipped = Buffer.from(bytes)
              flipped[at] = (flipped[at] as number) ^ (1 << (at % 8))
              const files = changed(sample, file, flipped)
              return { what: `${file} byte ${at}`, sample, files, allowed: allowedAfter(sample, file) }
            },
        ),
      ),
    )
    expect(await tryCases('stores with one bit flipped', cases, 250)).toEqual([])
  })

  it('cut at every length', { timeout }, async () => {
    const cases = samples.flatMap(sample =>
      [...sample.files].flatMap(([file, bytes]) =>
        Array.from(
          { length: Math.min(bytes.length, sample.used(file) + 40) },
          (_, length): MakeCase =>
            () => {
              const files = changed(sample, file, bytes.subarray(0, length))
              return { what: `${file} cut at ${length}`, sample, files, allowed: ['refused', whole(sample)] }
            },
        ),
      ),
    )
    expect(await tryCases('stores cut short', cases, 250)).toEqual([])
  })
})

describe('a store of which much was damaged is refused, or holds what it held after one of its changes:', () => {
  it('ranges of zeros, of noise and of other places, files cut, lengthened, swapped and removed', {
    timeout,
  }, async () => {
    const cases = Array.from(
      { length: caseCount(150, 10_000) },
      (_, i): MakeCase =>
        () => {
          const random = new Random(11, i)
          const sample = samples[random.below(samples.length)] as StoreSample
          let files: ReadonlyMap<string, Buffer> = sample.files
          const done: string[] = []
          for (let times = 1 + random.below(3); times > 0; times--) files = damage(random, files, done)
          // What was closed is known to be whole; after a crash, damage of the end looks like the crash itself.
          const held = files.has('log.closed') && sample.name === 'closed' ? [whole(sample)] : sample.history
          return { what: done.join(', '), sample, files, allowed: ['refused', ...held] }
        },
    )
    expect(await tryCases('stores with heavy damage', cases, cases.length)).toEqual([])
  })
})

type Files = ReadonlyMap<string, Buffer>

function damage(random: Random, files: Files, done: string[]): Files {
  const names = [...files.keys()]
  const file = names[random.below(names.length)] as string
  const bytes = files.get(file) as Buffer
  const used = Math.max(1, bytes.findLastIndex(byte => byte !== 0) + 1)
  const [from, to, length] = [random.below(used), random.below(used), 1 + random.below(Math.min(used, 300))]
  const kinds: Record<string, () => Files> = {
    zeros: () => new Map([...files, [file, Buffer.from(bytes).fill(0, from, Math.min(from + length, bytes.length))]]),
    noise: () => new Map([...files, [file, withNoise(random, bytes, from, length)]]),
    copied: () => {
      const copy = Buffer.from(bytes)
      bytes.copy(copy, to, from, Math.min(from + length, bytes.length))
      return new Map([...files, [file, copy]])
    },
    cut: () => new Map([...files, [file, bytes.subarray(0, from)]]),
    'taken out': () =>
      new Map([...files, [file, Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)])]]),
    lengthened: () =>
      new Map([...files, [file, Buffer.concat([bytes, withNoise(random, Buffer.alloc(length), 0, length)])]]),
    swapped: () => new Map([...files, [file, files.get(names[random.below(names.length)] as string) as Buffer]]),
    removed: () => new Map([...files].filter(([name]) => name !== file)),
  }
  const kind = Object.keys(kinds)[random.below(Object.keys(kinds).length)] as string
  done.push(`${file} ${kind} (${from}, ${to}, ${length})`)
  return (kinds[kind] as () => Files)()
}

function withNoise(random: Random, bytes: Buffer, from: number, length: number): Buffer {
  const noisy = Buffer.from(bytes)
  for (let at = from; at < Math.min(from + length, noisy.length); at++) noisy[at] = random.below(256)
  return noisy
}
