// Every public call, with every argument and option replaced in turn by values that it does not expect. The answer is a sensible one or an
// EngineError that is no bug of ours; and whoever refused a call answers as before.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as core from '@vicinal/core'
import * as collections from '@vicinal/core/collection'
import * as data from '@vicinal/core/data'
import * as inspect from '@vicinal/core/inspect'
import * as margin from '@vicinal/core/margin'
import * as memory from '@vicinal/core/memory'
import * as server from '@vicinal/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HostileCounts, isLong, report } from './report.ts'
import { publicCalls } from './wrong-types.all.ts'
import { type Call, Options } from './wrong-types.call.ts'
import { callersOwn, wrongValues } from './wrong-types.values.ts'

const { EngineError } = core
/** Far more than any of the calls takes, also on a busy machine. */
const limitMillis = 20_000

let folder = ''
let home = ''
let calls: Call[] = []
let counts: HostileCounts | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-wrong-types-'))
  home = process.cwd()
  process.chdir(folder) // some wrong values are names of files
  calls = await publicCalls(folder)
})
afterAll(async () => {
  process.chdir(home)
  if (counts) report(counts)
  await rm(folder, { recursive: true })
})

/** Undefined if the outcome is as it should be. */
async function faultOf(run: () => unknown): Promise<{ fault?: string; refused: boolean }> {
  const start = performance.now()
  try {
    await run()
    const millis = performance.now() - start
    return { refused: false, ...(millis > limitMillis && { fault: `took ${Math.round(millis)} ms` }) }
  } catch (error) {
    if (error === callersOwn) return { refused: true }
    if (error instanceof EngineError && error.code !== 'INTERNAL') return { refused: true }
    return { refused: true, fault: String(error).slice(0, 150) }
  }
}

/** The arguments as the call takes them. */
function plain(args: readonly unknown[]): unknown[] {
  return args.map(arg => (arg instanceof Options ? arg.needed : arg))
}

/** The names of a call's options, as its own message lists them. */
async function optionNames(call: Call, place: number, needed: object): Promise<string[]> {
  try {
    await call.run(...plain(call.args).with(place, { ...needed, zebra: 1 }))
  } catch (error) {
    const known = error instanceof EngineError ? /Known: (.*)\.$/.exec(error.hint ?? '')?.[1] : undefined
    if (known !== undefined) return known.split(', ')
  }
  throw new Error(`${call.name} does not list its options`)
}

/** Within `npm test`, every option is tried with some of the values, other ones for each. */
const share = 6

function valuesFor(option: number): [string, () => unknown][] {
  const all = Object.entries(wrongValues).filter(([name]) => name !== 'undefined') // as if it were not given
  return isLong ? all : all.filter((_, i) => (i + option) % share === 0)
}

/** All ways to call it wrongly. */
async function wrongCalls(call: Call): Promise<[name: string, run: () => unknown][]> {
  const good = plain(call.args)
  const wrong: [string, () => unknown][] = []
  for (const [place, arg] of call.args.entries()) {
    for (const [name, make] of Object.entries(wrongValues)) {
      wrong.push([`argument ${place} is ${name}`, () => call.run(...good.with(place, make()))])
    }
    if (!(arg instanceof Options)) continue
    for (const [i, option] of (await optionNames(call, place, arg.needed)).entries()) {
      for (const [name, make] of valuesFor(i)) {
        wrong.push([`${option} is ${name}`, () => call.run(...good.with(place, { ...arg.needed, [option]: make() }))])
      }
    }
  }
  return wrong
}

/** What `work` gives, unless it never does. */
async function unlessItHangs(work: ReturnType<typeof faultOf>): ReturnType<typeof faultOf> {
  let timer: NodeJS.Timeout | undefined
  const hanging = new Promise<{ fault: string; refused: boolean }>(resolve => {
    timer = setTimeout(() => resolve({ fault: 'hangs', refused: true }), 2 * limitMillis)
  })
  const result = await Promise.race([work, hanging])
  clearTimeout(timer)
  return result
}

const shared = core.ExactIndex.fit([[1, 2], [3, 4]]) // biome-ignore format: rows as rows

describe('a call with a wrong type', () => {
  it('is answered, or refused with what it expects, and changes nothing', { timeout: 300_000 }, async () => {
    const index = await shared
    const faults: string[] = []
    let tried = 0
    for (const call of calls) {
      const probe = call.probe ?? (() => index.search([1, 1]))
      let before = JSON.stringify(probe())
      for (const [name, run] of await wrongCalls(call)) {
        tried++
        const { fault, refused } = await unlessItHangs(faultOf(run))
        if (fault !== undefined) faults.push(`${call.name}, ${name}: ${fault}`)
        const after = JSON.stringify(probe())
        if (refused && after !== before) faults.push(`${call.name}, ${name}: refused, but it answers otherwise now`)
        before = after
      }
    }
    counts = { name: 'wrong-typed calls', tried, failed: faults.length }
    expect(faults).toEqual([])
    expect(tried).toBeGreaterThan(10_000)
  })

  it('is tried for every public function and method', () => {
    const tried = new Set(calls.map(({ name }) => name))
    const missing = publicNames().filter(name => !tried.has(name) && !withoutArguments.has(name))
    expect(missing).toEqual([])
  })
})

/**
 * They take nothing and end the object, are for subclasses alone, or are internal: what calls them has checked the contents of a
 * file.
 */
const withoutArguments = new Set([
  ...['free', 'close', 'contentSteps'].flatMap(name =>
    Object.keys({ ...core, ...collections, ...margin, ...memory, ...server }).map(type => `${type}.${name}`),
  ),
  ...['MemoryClassifier.open', 'MemoryTree.restoring'],
])

/** `f`, `new Type`, `Type.method`, of classes that can be made and methods of their own. Internals check only what they must. */
function publicNames(): string[] {
  const entries = [core, collections, data, inspect, margin, memory, server].flatMap(part =>
    Object.entries<unknown>(part),
  )
  return entries.flatMap(([name, value]) => {
    if (typeof value !== 'function') return []
    if (!/^[A-Z]/.test(name)) return [name]
    const Type = value as unknown as { prototype: object }
    const own = methodNames(Type.prototype).map(method => `${name}.${method}`)
    const fixed = methodNames(Type).map(method => `${name}.${method}`)
    // Indexes and models are made by fit, load and create.
    const made = fixed.some(method => /\.(fit|create)$/.test(method)) ? [] : [`new ${name}`]
    return [...made, ...fixed, ...own]
  })
}

function methodNames(target: object): string[] {
  const described = Object.entries(Object.getOwnPropertyDescriptors(target))
  return described.flatMap(([name, { value }]) =>
    typeof value === 'function' && !['constructor', 'prototype'].includes(name) ? [name] : [],
  )
}
