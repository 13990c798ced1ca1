// The folders are the architecture. A folder imports only from those above it in the list; a method imports no other method of its
// job; labels, memories and collections reach a search method through its index alone, collections and what grows forests through its options too. Packages point up their list too.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const core = join(root, 'packages/core/src')

const folderOrder = [
  ...[
    'web-types.ts',
    'errors.ts',
    'callback-answers.ts',
    'long-work.ts',
    'model-kinds.ts',
    'nearest-names.ts',
    'options.ts',
    'platform.ts',
    'no-platform.ts',
    'random.ts',
  ],
  ...[
    'kernels',
    'matrix',
    'store',
    'ids',
    'data',
    'evaluate',
    'trees',
    'forest',
    'nets',
    'search',
    'growing',
    'memory',
    'label',
    'collection',
    'plot',
    'inspect',
  ],
  ...['index.ts', 'collection.ts', 'data.ts', 'inspect.ts', 'kernels.ts', 'margin.ts', 'memory.ts', 'internals.ts'],
]
/** The jobs whose methods have a folder each. */
const methods: Readonly<Record<string, readonly string[]>> = {
  search: ['exact', 'forest', 'inverted', 'sparse-forest', 'net'],
  label: ['lcif', 'forest', 'margin', 'memory'],
}
/** The only files outside a method's folder that may know it: they list the methods. */
const registries = ['search/registry.ts', 'label/registry.ts']
/** A sparse forest chooses among the rows of an inverted index, which it holds: the one method that stands on another. */
const standsOn = { from: 'search/sparse-forest', on: 'search/inverted/inverted-index.ts' }
const packageOrder = ['core', 'server', 'web', 'vicinal', 'langchain']

/** `import … from 'x'`, `export … from 'x'`, `import 'x'` and `import('x')`. */
const importPattern = /(?:^(?:import|export)\b[^'"`;]*?\bfrom |^import |\bimport\()'([^']+)'/gm

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file) && !/\.test\.ts$|cases\.ts$|node_modules|^dist\//.test(file))
    .map(file => join(folder, file))
}

const importsOf = (text: string): string[] => [...text.matchAll(importPattern)].map(match => match[1] as string)

/** 'label/lcif' for a file of that method, undefined for files of no method. Paths are relative to core's sources. */
function methodOf(file: string): string | undefined {
  const [job = '', method = ''] = file.split('/')
  return methods[job]?.includes(method) ? `${job}/${method}` : undefined
}

/** The fault of `from` importing `to`; undefined if there is none. */
function faultOf(from: string, to: string): string | undefined {
  const rank = (file: string) => folderOrder.indexOf(file.split('/')[0] as string)
  if (rank(from) < 0) return `${from} is in a folder that the list does not know`
  if (rank(to) > rank(from)) return `${from} → ${to}: points down`
  const [method, other] = [methodOf(from), methodOf(to)]
  if (other === undefined || other === method || registries.includes(from) || !from.includes('/')) return undefined
  if (method === standsOn.from && to === standsOn.on) return undefined
  if (/^(label|memory)\//.test(from) && /^search\/[\w-]+\/[\w-]+-index\.ts$/.test(to)) return undefined
  if (/^(collection|growing)\//.test(from) && /^search\/[\w-]+\/([\w-]+-index|options)\.ts$/.test(to)) return undefined
  return `${from} → ${to}: reaches into another method`
}

describe('imports of core', () => {
  it('point up the list of folders, and never from one method into another', () => {
    const faults = sources(core).flatMap(file =>
      importsOf(readFileSync(file, 'utf8'))
        .filter(path => path.startsWith('.'))
        .map(path => faultOf(relative(core, file), relative(core, resolve(dirname(file), path))))
        .filter(fault => fault !== undefined),
    )
    expect(faults).toEqual([])
  })

  it.each([
    ['kernels/arena.ts', 'search/neighbor.ts', 'kernels/arena.ts → search/neighbor.ts: points down'],
    [
      'label/lcif/fit.ts',
      'label/forest/model.ts',
      'label/lcif/fit.ts → label/forest/model.ts: reaches into another method',
    ],
    ['label/predict.ts', 'label/lcif/model.ts', 'label/predict.ts → label/lcif/model.ts: reaches into another method'],
    [
      'label/lcif/fit.ts',
      'search/forest/build.ts',
      'label/lcif/fit.ts → search/forest/build.ts: reaches into another method',
    ],
    ['search/exact/exact-index.ts', 'search/forest/rows.ts', /reaches into another method$/],
    ['attic/old.ts', 'errors.ts', 'attic/old.ts is in a folder that the list does not know'],
  ])('the check refuses %s importing %s', (from, to, fault) => {
    expect(faultOf(from, to)).toMatch(fault)
  })

  it.each([
    ['label/lcif/fit.ts', 'label/lcif/model.ts'],
    ['label/lcif/parts.ts', 'search/inverted/inverted-index.ts'],
    ['label/registry.ts', 'label/forest/forest-classifier.ts'],
    ['index.ts', 'search/exact/exact-index.ts'],
  ])('the check allows %s to import %s', (from, to) => {
    expect(faultOf(from, to)).toBeUndefined()
  })

  it('name no package: core has no runtime dependency', () => {
    const foreign = sources(core).flatMap(file => {
      return importsOf(readFileSync(file, 'utf8')).filter(path => !path.startsWith('.'))
    })
    // Node's modules are named for their types only, in platform.ts.
    expect(foreign.filter(path => !path.startsWith('node:'))).toEqual([])
    const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8'))
    expect(dependencies).toBeUndefined()
  })
})

describe('folders', () => {
  it('hold at most 20 files beside their tests', () => {
    const counts = new Map<string, number>()
    for (const name of packageOrder) {
      for (const file of sources(join(root, 'packages', name, 'src'))) {
        const folder = relative(root, dirname(file))
        counts.set(folder, (counts.get(folder) ?? 0) + 1)
      }
    }
    expect([...counts].filter(([, count]) => count > 20)).toEqual([])
  })
})

describe('imports between packages', () => {
  it('point up the list of packages, by name', () => {
    const wrong: string[] = []
    for (const [place, name] of packageOrder.entries()) {
      for (const file of sources(join(root, 'packages', name))) {
        for (const path of importsOf(readFileSync(file, 'utf8'))) {
          const other = /^@vicinal\/(\w+)/.exec(path)?.[1] ?? (path === 'vicinal' ? path : undefined)
          if (other && packageOrder.indexOf(other) >= place) wrong.push(`${relative(root, file)} → ${path}`)
          if (path.includes('../packages')) wrong.push(`${relative(root, file)} → ${path}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})
