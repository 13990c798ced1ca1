// One type per name: two exported types of core that share a name are taken for each other.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const source = join(import.meta.dirname, '..', 'packages', 'core', 'src')
const declaration = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm

it('gives every exported type of core a name of its own', () => {
  const files = new Map<string, Set<string>>()
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.includes('generated') || /\.(test|cases)\.ts$/.test(file)) continue
    for (const [, name] of readFileSync(join(source, file), 'utf8').matchAll(declaration)) {
      files.set(name!, (files.get(name!) ?? new Set()).add(file))
    }
  }
  expect(files.size).toBeGreaterThan(300)
  expect([...files].filter(([, places]) => places.size > 1)).toEqual([])
})
