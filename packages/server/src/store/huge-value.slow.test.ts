import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MemoryStore } from './memory-store.ts'

it('opens again after a value whose bytes are more than a text may have characters', { timeout: 300_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  const path = join(folder, 'notes')
  const length = 180_000_000 // of three bytes each
  try {
    const store = await MemoryStore.create(path)
    await store.insert('ships', '€'.repeat(length), { id: 'long' })
    await store.close()
    const again = await MemoryStore.open(path)
    expect(String(again.get('long')?.value).length).toBe(length)
    await again.snapshot()
    await again.close()
    const last = await MemoryStore.open(path)
    expect(String(last.get('long')?.value).length).toBe(length)
    await last.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})
