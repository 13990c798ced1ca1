import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MemoryStore } from './memory-store.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  path = join(folder, 'notes')
  const store = await MemoryStore.create(path)
  for (const text of ['ships of the sea', 'mushrooms', 'birds of the forests'])
    await store.insert(text, `value of ${text}`)
  await store.close()
})
afterEach(() => rm(folder, { recursive: true }))

/** Changes `from` to `to` wherever it stands in the file. */
async function change(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(path, file), 'latin1')
  expect(text).toContain(from)
  await writeFile(join(path, file), text.replaceAll(from, to), 'latin1')
}

async function expectDamage(message: string, file: string): Promise<void> {
  const opening = MemoryStore.open(path)
  await expect(opening).rejects.toMatchObject({ code: 'MODEL_DAMAGED', where: { file: join(path, file) } })
  await expect(opening).rejects.toThrow(message)
}

/** As after a crash: with the checksums of the entries alone. */
const removeSeal = () => rm(join(path, 'log.sha256'))

describe('damage is found and named:', () => {
  it('a log that differs in any bit from what it was when the store was closed', async () => {
    const file = join(path, 'log.mdb')
    const whole = await readFile(file)
    for (const at of [16, 4096 + 60, 2 * 4096 + 20, 3 * 4096 + 4000]) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] as number) ^ 4
      await writeFile(file, changed)
      await expectDamage('the log was changed since the store was closed', 'log.mdb')
    }
    await writeFile(file, whole)
    const store = await MemoryStore.open(path)
    expect(await store.check()).toEqual([])
    await store.close()
  })

  it('an operation with another byte', async () => {
    await removeSeal()
    await change('log.mdb', 'value of mushrooms', 'value of mushr0oms')
    await expectDamage('operation 2 was changed', 'log.mdb')
  })

  it('a record of what there is with another byte', async () => {
    await removeSeal()
    await change('log.mdb', '"from":0', '"from":1')
    await expectDamage('its record of what there is', 'log.mdb')
  })

  it('a log that was cut off', async () => {
    for (const bytes of [20_000, 9000, 4096, 100, 0]) {
      await truncate(join(path, 'log.mdb'), bytes)
      await expectDamage(bytes > 8191 ? `the log has ${bytes} bytes` : 'this is no log', 'log.mdb')
    }
  })

  it('a log whose unused end was cut off is whole', async () => {
    await truncate(join(path, 'log.mdb'), 2 ** 20)
    const store = await MemoryStore.open(path)
    expect(await store.check()).toEqual([])
    await store.close()
  })

  it('a log that is something else', async () => {
    await writeFile(join(path, 'log.mdb'), 'x'.repeat(100_000))
    await expectDamage('this is no log', 'log.mdb')
  })

  it('a snapshot that was changed, cut off or is gone', async () => {
    const store = await MemoryStore.open(path)
    await store.snapshot()
    await store.close()
    const whole = join(folder, 'whole')
    await copyFile(join(path, 'snapshot-3.memory'), whole)
    await change('snapshot-3.memory', 'value of mushrooms', 'value of mushr0oms')
    await expectDamage('checksum', 'snapshot-3.memory')
    await copyFile(whole, join(path, 'snapshot-3.memory'))
    await truncate(join(path, 'snapshot-3.memory'), 1000)
    await expectDamage('bytes', 'snapshot-3.memory')
    await rm(join(path, 'snapshot-3.memory'))
    await expectDamage('the snapshot is gone', 'snapshot-3.memory')
  })

  it('what happened to the disk while the store was open, by check()', async () => {
    const store = await MemoryStore.open(path)
    await store.snapshot()
    await change('snapshot-3.memory', 'value of mushrooms', 'value of mushr0oms')
    const faults = await store.check()
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain('snapshot-3.memory')
    await store.close()
  })
})
