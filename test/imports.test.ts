// The folders are the architecture: a folder imports only from those above it in this list. Packages likewise.

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
    'progress.ts',
    'long-work.ts',
    'nearest-names.ts',
    'options.ts',
    'platform.ts',
    'random.ts',
  ],
  ...['kernels', 'matrix', 'store', 'data', 'evaluate', 'trees', 'forest', 'search', 'memory', 'label'],
  ...['index.ts', 'data.ts', 'kernels.ts', 'margin.ts', 'memory.ts'],
]
const packageOrder = ['core', 'server', 'vicinal']

/** `import … from 'x'`, `export … from 'x'`, `import 'x'` and `import('x')`. */
const importPattern = /(?:^(?:import|export)\b[^'"`;]*?\bfrom |^import |\bimport\()'([^']+)'/gm

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !/\.test\.ts$|cases\.ts$|node_modules/.test(file))
    .map(file => join(folder, file))
}

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(importPattern)].map(match => match[1] as string)

/** The place of a file of core's in the order: its folder's, or its own where it stands at the top. */
const rank = (file: string): number => folderOrder.indexOf(relative(core, file).split('/')[0] as string)

describe('imports', () => {
  it('of core point up the list of folders, never down', () => {
    const wrong: string[] = []
    for (const file of sources(core)) {
      expect(
        rank(file),
        `${relative(root, file)} stands in a folder that the list does not know`,
      ).toBeGreaterThanOrEqual(0)
      for (const path of importsOf(file).filter(path => path.startsWith('.'))) {
        const target = resolve(dirname(file), path)
        if (rank(target) > rank(file)) wrong.push(`${relative(core, file)} → ${relative(core, target)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('of core name no package: it has no runtime dependency', () => {
    const foreign = sources(core).flatMap(file => importsOf(file).filter(path => !path.startsWith('.')))
    // Node's modules are named for their types only, in platform.ts.
    expect(foreign.filter(path => !path.startsWith('node:'))).toEqual([])
    const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8'))
    expect(dependencies).toBeUndefined()
  })

  it('between packages point up the list of packages, by name', () => {
    const wrong: string[] = []
    for (const [place, name] of packageOrder.entries()) {
      for (const file of sources(join(root, 'packages', name))) {
        for (const path of importsOf(file)) {
          const other = /^@vicinal\/(\w+)/.exec(path)?.[1] ?? (path === 'vicinal' ? path : undefined)
          if (other && packageOrder.indexOf(other) >= place) wrong.push(`${relative(root, file)} → ${path}`)
          if (path.includes('../packages')) wrong.push(`${relative(root, file)} → ${path}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})
