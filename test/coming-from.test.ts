// The page "Coming from another library": its programs are files, ours run and print what it says, and are no longer than theirs.
// `npm run bench:coming-from` runs theirs.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/coming-from.md'), 'utf8')
const pair =
  /```js (bench\/peers\/programs\/\S+)\n([\s\S]*?)```\n[\s\S]*?```ts (examples\/\S+)\n([\s\S]*?)```\n\nBoth print `(.*)`/g
const programs = [...page.matchAll(pair)].map(
  ([, theirs = '', theirCode = '', ours = '', ourCode = '', printed = '']) => ({
    ...{ theirs, theirCode, ours, ourCode, printed },
  }),
)

it('has a program for each library', () => {
  expect(programs.map(({ ours }) => ours)).toEqual(
    ['minisearch', 'orama', 'hnswlib-node', 'lancedb'].map(name => `examples/coming-from/${name}.ts`),
  )
})

describe.each(programs)('$ours', ({ theirs, theirCode, ours, ourCode, printed }) => {
  it('is what the page shows, and so is theirs', () => {
    expect(readFileSync(join(root, ours), 'utf8')).toBe(ourCode)
    expect(readFileSync(join(root, theirs), 'utf8')).toBe(theirCode)
  })

  it('is no longer than theirs', () => {
    expect(ourCode.split('\n').length).toBeLessThanOrEqual(theirCode.split('\n').length)
  })

  it('prints what the page says', () => {
    const folder = mkdtempSync(join(tmpdir(), 'coming-from-'))
    try {
      const args = ['tools/run.mjs', ours, join(folder, 'kept')]
      const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
      expect([stdout.trim(), stderr]).toEqual([printed, ''])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
