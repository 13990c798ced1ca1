// Stores that people have: every golden store opens, holds the same memories and gives the same answers as when it was written. A failure
// means that a change breaks stores. Decide; test/golden/README.md says how.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { MemoryStore } from './memory-store.ts'

const golden = join(import.meta.dirname, 'golden')
const folder = mkdtempSync(join(tmpdir(), 'vicinal-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Formats whose stores are refused, with the code of the error. All others must open. */
const refused: Readonly<Record<string, string>> = { v3: 'UNKNOWN_FORMAT' }

describe.each(readdirSync(golden))('the golden store %s', version => {
  const { queries, memories, size } = JSON.parse(readFileSync(join(golden, version, 'answers.json'), 'utf8'))

  it.each([{ readOnly: true }, { readOnly: false }])('opens with %o, and answers as it did', async options => {
    const path = join(folder, `${version}-${options.readOnly}`)
    cpSync(join(golden, version, 'store'), path, { recursive: true })
    const opened = MemoryStore.open(path, options)
    const code = refused[version]
    if (code !== undefined) return void (await expect(opened).rejects.toMatchObject({ code }))
    const store = await opened
    expect(store.size).toBe(size)
    expect(Array.from(store.memories(), plain).sort(byText)).toEqual(memories)
    for (const { key, hits } of queries) expect(store.query(key, { k: 3 }).map(plain)).toEqual(hits)
    expect(await store.check()).toEqual([])
    await store.close()
  })
})

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
