import { copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Log } from '../log/log.ts'
import { MemoryStore } from './memory-store.ts'
import { readState, writeState } from './store-state.ts'

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

/** As after a crash: nothing says where the log ended. The file of an open log is a multiple of 64 KiB long. */
async function reopenLog(): Promise<void> {
  await rm(join(path, 'log.closed'))
  await truncate(join(path, log), 2 ** 16)
}

const log = 'log-1.bin'

describe('damage is found and named:', () => {
  it('a log that differs in any bit from what it was when the store was closed', async () => {
    const whole = await readFile(join(path, log))
    for (const at of [3, 20, 47, 50, 100, whole.length - 1]) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] as number) ^ 4
      await writeFile(join(path, log), changed)
      await expectDamage(log, log)
    }
    await writeFile(join(path, log), whole)
    const store = await MemoryStore.open(path)
    expect(await store.check()).toEqual([])
    await store.close()
  })

  it('an operation with another byte, by its number and its place in the file', async () => {
    await reopenLog()
    await change(log, 'value of mushrooms', 'value of mushr0oms')
    await expectDamage('the records from 2 on, at byte', log)
  })

  it('an operation that no memory takes', async () => {
    const log = await Log.open(path)
    await log.append(Buffer.from('{"do":"remove","id":{}}'))
    await log.close()
    await expect(MemoryStore.open(path)).rejects.toThrow('operation 4 cannot be replayed')
  })

  it('a state with another byte', async () => {
    await change('store.json', '"from":0', '"from":1')
    await expectDamage('its checksum does not match', 'store.json')
  })

  it('a state that names operations which the log lacks', async () => {
    await writeState(path, { ...(await readState(path)), from: 7 })
    await copyFile(join(path, 'snapshot-0.memory'), join(path, 'snapshot-7.memory'))
    await expect(MemoryStore.open(path)).rejects.toThrow('its snapshot and its log do not belong together')
  })

  it('a log of another store, though all numbers fit', async () => {
    const other = join(folder, 'other')
    const store = await MemoryStore.create(other)
    for (const text of ['a', 'b', 'c']) await store.insert(`${text} of another store`, text)
    await store.close()
    for (const file of [log, 'log.closed']) await copyFile(join(other, file), join(path, file))
    await expect(MemoryStore.open(path)).rejects.toThrow('its snapshot and its log do not belong together')
    await expect(MemoryStore.open(path, { readOnly: true })).rejects.toMatchObject({ code: 'MODEL_DAMAGED' })
  })

  it('a log that was cut off', async () => {
    const { size } = await stat(join(path, log))
    for (const bytes of [size - 1, 100, 47, 0]) {
      await truncate(join(path, log), bytes)
      await expectDamage(bytes > 1536 ? 'are damaged' : 'this is not a log', log)
    }
  })

  it('a log that was cut off after a crash', async () => {
    await reopenLog()
    await truncate(join(path, log), 2 ** 15)
    await expectDamage('it has 32768 bytes: it was truncated', log)
  })

  it('a log that is something else', async () => {
    await writeFile(join(path, log), 'x'.repeat(100_000))
    await expectDamage('this is not a log', log)
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
    await expectDamage('the snapshot is missing', 'snapshot-3.memory')
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
