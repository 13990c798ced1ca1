// The reference lists what the build exports, each name with a line that says what it is for.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
// @ts-expect-error: a plain script without types
import { makeReference } from '../tools/reference.mjs'

const reference: string = makeReference()

it('docs/reference.md is current (npm run build && npm run docs:reference makes it)', () => {
  expect(readFileSync(join(import.meta.dirname, '../docs/reference.md'), 'utf8')).toBe(reference)
})

it('every exported name has a doc line', () => {
  const names = reference.split('\n').filter(line => line.startsWith('- **'))
  expect(names.length).toBeGreaterThan(200)
  expect(names.filter(line => !/`\*\* \S/.test(line))).toEqual([])
})
