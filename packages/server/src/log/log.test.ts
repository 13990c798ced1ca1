import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EngineError, Random } from '@vicinal/core'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Log } from './log.ts'
import { headBytes, markPlaces, sizeStep } from './segment-head.ts'

let folder: string
let opened: Log[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
  await Log.create(folder)
})
afterEach(async () => {
  for (const log of opened) await log.close()
  opened = []
  await rm(folder, { recursive: true })
})

async function open(readOnly = false): Promise<Log> {
  const log = await Log.open(folder, { readOnly })
  opened.push(log)
  return log
}

const record = (text: string) => Buffer.from(text)

async function records(log: Log, from = 1, to?: number): Promise<string[]> {
  const texts: string[] = []
  for await (const group of log.replay(from, to)) texts.push(...group.records.map(String))
  return texts
}

const segments = async () => (await readdir(folder)).filter(name => name.startsWith('log-')).sort()

describe('Log', () => {
  it('gives back the records in their order, by their numbers, now and later', async () => {
    const log = await open()
    expect(await Promise.all(['a', '', 'ccc'].map(text => log.append(record(text))))).toEqual([1, 2, 3])
    expect(log.next).toBe(4)
    expect(await log.append(record('d'))).toBe(4)
    expect(await records(log)).toEqual(['a', '', 'ccc', 'd'])
    expect(await records(log, 2, 3)).toEqual(['', 'ccc'])
    expect(await records(log, 5)).toEqual([])
    await log.close()
    const again = await open()
    expect(await again.append(record('e'))).toBe(5)
    expect(await records(again)).toEqual(['a', '', 'ccc', 'd', 'e'])
    expect(await records(await open(true), 4)).toEqual(['d', 'e'])
  })

  it('holds any bytes, many and few, over any number of segments', async () => {
    const any = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(fc.array(any, { maxLength: 3 }), fc.nat(2 ** 18), async (groups, long) => {
        await rm(folder, { recursive: true })
        folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
        await Log.create(folder)
        const all = [...groups.flat(), new Uint8Array(long).fill(7)]
        const log = await Log.open(folder)
        for (const group of groups) {
          await Promise.all(group.map(bytes => log.append(bytes)))
          await log.rotate()
        }
        await log.append(all.at(-1) as Uint8Array)
        await log.close()
        const found: Uint8Array[] = []
        for await (const group of log.replay(1)) found.push(...group.records.map(bytes => new Uint8Array(bytes)))
        expect(found).toEqual(all.map(bytes => new Uint8Array(bytes)))
      }),
      { numRuns: 5 },
    )
  })

  it('drops whole segments before a record, and knows what it dropped', async () => {
    const log = await open()
    for (const text of ['a', 'b']) await log.append(record(text))
    await log.rotate()
    await log.rotate() // nothing to begin again
    await log.append(record('c'))
    expect(await segments()).toEqual(['log-1.bin', 'log-3.bin'])
    await log.truncateBefore(2)
    expect(await segments()).toHaveLength(2)
    await log.truncateBefore(3)
    expect(await segments()).toEqual(['log-3.bin'])
    expect(await records(log, 3)).toEqual(['c'])
    await expect(records(log, 2)).rejects.toThrow('its beginning is missing')
    await log.close()
    expect((await open()).next).toBe(4)
  })

  it('can be read while it is written, rotated and cut', async () => {
    const log = await open()
    const writing = (async () => {
      for (let i = 1; i <= 200; i++) {
        await log.append(record(`${i} ${'x'.repeat((i * 97) % 3000)}`))
        if (i % 20 === 0) await log.rotate()
      }
    })()
    let done = false
    const ended = writing.then(() => {
      done = true
    })
    while (!done) {
      const found = await records(await Log.open(folder, { readOnly: true }))
      expect(found.map(text => Number.parseInt(text, 10))).toEqual(found.map((_, i) => i + 1))
    }
    await ended
    expect(await records(log)).toHaveLength(200)
  })

  it('stays as short as its records once it is closed', async () => {
    const log = await open()
    await log.append(record('a'.repeat(100)))
    expect((await stat(join(folder, 'log-1.bin'))).size).toBe(sizeStep)
    await log.close()
    expect((await stat(join(folder, 'log-1.bin'))).size).toBeLessThan(headBytes + 200)
  })

  it('refuses to be written by two, or by a reader', async () => {
    const log = await open()
    await expect(Log.open(folder)).rejects.toThrow(`process ${process.pid} is writing`)
    const reader = await open(true)
    expect(() => reader.append(record('a'))).toThrow('read-only')
    await log.close()
    await open()
  })
})

/** What a log holds, or the code of its refusal. */
async function outcome(): Promise<string[] | string> {
  try {
    return await records(await Log.open(folder, { readOnly: true }))
  } catch (error) {
    return error instanceof EngineError ? error.code : `foreign: ${error}`
  }
}

describe('damage of any byte, and any cut, of a log', () => {
  const file = () => join(folder, 'log-1.bin')
  const whole = ['first', 'second', 'third', 'fourth']
  let bytes: Buffer

  /** Writes four records in three groups, and takes the bytes as they are on disk while the log is open. */
  async function crash(withMark: boolean): Promise<void> {
    const log = await open()
    await log.append(record('first'))
    await Promise.all(['second', 'third'].map(text => log.append(record(text))))
    await log.append(record('fourth'))
    bytes = await readFile(file())
    // A power cut may take the last mark, which is not flushed yet.
    if (!withMark) bytes.fill(0, lastMark, lastMark + 32)
    await log.close()
    await rm(join(folder, 'log.closed'))
  }

  const [lastMark = 0, otherMark = 0] = markPlaces
  const isMark = (at: number) => [lastMark, otherMark].some(mark => at >= mark && at < mark + 32)

  /** Every byte up to `to`; of those that are always zero, some. */
  function* placesTo(to: number): Generator<number> {
    const isBlank = (at: number) => at >= 52 && at < headBytes && !isMark(at)
    for (let at = 0; at < to; at++) if (!isBlank(at) || at % 61 === 0) yield at
  }

  const flipped = (at: number) => {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] as number) ^ (1 << (at % 8))
    return changed
  }
  const end = () => bytes.findLastIndex(byte => byte !== 0) + 1

  it('is refused where it was closed', async () => {
    const log = await open()
    await Promise.all(whole.map(text => log.append(record(text))))
    await log.close()
    bytes = await readFile(file())
    for (const at of placesTo(bytes.length)) {
      await writeFile(file(), flipped(at))
      expect(await outcome(), `byte ${at}`).toBe('MODEL_DAMAGED')
      await writeFile(file(), bytes.subarray(0, at))
      expect(await outcome(), `cut at ${at}`).toBe('MODEL_DAMAGED')
    }
    await writeFile(file(), bytes)
    expect(await outcome()).toEqual(whole)
    const seal = await readFile(join(folder, 'log.closed'))
    for (let at = 0; at < seal.length; at++) {
      const changed = Buffer.from(seal)
      changed[at] = (changed[at] as number) ^ 1
      await writeFile(join(folder, 'log.closed'), changed)
      expect(await outcome(), `byte ${at} of the seal`).toBe('MODEL_DAMAGED')
    }
  })

  it('is refused after a crash, or costs nothing that was acknowledged', async () => {
    await crash(true)
    for (const at of placesTo(end() + 40)) {
      await writeFile(file(), flipped(at))
      const harmless = isMark(at) || at >= end() // there is another mark, and what was never written
      expect(await outcome(), `byte ${at}`).toEqual(harmless ? whole : 'MODEL_DAMAGED')
    }
    for (let at = 0; at < bytes.length; at += at < headBytes ? 61 : at < end() + 10 ? 1 : 997) {
      await writeFile(file(), bytes.subarray(0, at))
      expect(await outcome(), `cut at ${at}`).toBe('MODEL_DAMAGED')
    }
  })

  it('is refused after a crash also where it looks like the crash', async () => {
    await crash(true)
    for (let at = headBytes; at < end(); at++) {
      const torn = Buffer.from(bytes)
      torn.fill(0, at)
      await writeFile(file(), torn)
      expect(await outcome(), `zeros from ${at} on`).toBe('MODEL_DAMAGED')
    }
  })

  it('costs the last group only if power failed too, before the mark reached the disk', async () => {
    await crash(false)
    const last = bytes.lastIndexOf('VLf')
    for (const at of placesTo(end())) {
      await writeFile(file(), flipped(at))
      const harmless = isMark(at)
      const found = at < last ? 'MODEL_DAMAGED' : whole.slice(0, 3)
      expect(await outcome(), `byte ${at}`).toEqual(harmless ? whole : found)
    }
  })

  it('cuts what is half-written, goes on after it, and leaves nothing of it', async () => {
    await crash(false)
    const last = bytes.lastIndexOf('VLf')
    for (let at = last; at < end(); at++) {
      const torn = Buffer.from(bytes)
      torn.fill(0, at)
      await writeFile(file(), torn)
      const log = await Log.open(folder)
      expect(await log.append(record('after'))).toBe(4)
      expect(await records(log)).toEqual([...whole.slice(0, 3), 'after'])
      await log.close()
      expect(await outcome()).toEqual([...whole.slice(0, 3), 'after'])
      await rm(join(folder, 'log.closed'))
    }
  })
})

describe('a power loss during a flush', () => {
  const sector = 512

  /** The bytes of the file after each group, as the disk has them once everything is flushed. */
  async function history(groups: readonly (readonly string[])[]): Promise<Buffer[]> {
    const log = await open()
    const states: Buffer[] = []
    for (const group of groups) {
      await Promise.all(group.map(text => log.append(record(text))))
      states.push(await readFile(join(folder, 'log-1.bin')))
    }
    await log.close()
    await rm(join(folder, 'log.closed'))
    return states
  }

  it('leaves the records that were acknowledged, and those under way whole or not at all', async () => {
    const groups = Array.from({ length: 6 }, (_, i) => [`${i} ${'x'.repeat(700 * i)}`, `${i} more`])
    const states = await history(groups)
    const random = new Random(3)
    for (let trial = 0; trial < 300; trial++) {
      const during = 1 + random.below(groups.length - 1)
      const [earlier, before, after] = [states[during - 2] ?? states[0], states[during - 1], states[during]] as Buffer[]
      if (!earlier || !before || !after) continue
      // The disk was extended before. Of the sectors of the frame, any may have been written; so may the mark of the group before.
      const disk = Buffer.alloc(after.length)
      before.copy(disk)
      if (random.float() < 0.5) earlier.copy(disk, 0, 0, headBytes)
      for (let at = headBytes; at < after.length; at += sector) {
        if (random.float() < 0.5) after.copy(disk, at, at, at + sector)
      }
      await writeFile(join(folder, 'log-1.bin'), disk)
      const found = await outcome()
      expect([groups.slice(0, during).flat(), groups.slice(0, during + 1).flat()]).toContainEqual(found)
      // It goes on from there.
      const log = await Log.open(folder)
      await log.append(record('after'))
      await log.close()
      expect(await outcome()).toEqual([...found, 'after'])
      await rm(join(folder, 'log.closed'))
    }
  })

  it('is told from the loss of an acknowledged group, once the log was idle', async () => {
    const states = await history([['a'], ['b'], ['c']])
    for (const [i, state] of states.entries()) {
      const earlier = states[i - 1]
      if (!earlier) continue
      const lost = Buffer.from(state)
      earlier.copy(lost, headBytes, headBytes)
      await writeFile(join(folder, 'log-1.bin'), lost)
      expect(await outcome()).toBe('MODEL_DAMAGED')
    }
  })
})

describe('a log refuses', () => {
  it('a segment of another log, or of an earlier state, though all numbers fit', async () => {
    const other = await mkdtemp(join(tmpdir(), 'vicinal-'))
    await Log.create(other)
    const [log, foreign] = [await open(), await Log.open(other)]
    for (const one of [log, foreign]) {
      await one.append(record('a'))
      await one.rotate()
      await one.append(record('b'))
      await one.close()
    }
    await copyFile(join(other, 'log-2.bin'), join(folder, 'log-2.bin'))
    await expect(open(true)).rejects.toThrow('changed after it was closed')
    await rm(join(folder, 'log.closed'))
    await truncate(join(folder, 'log-2.bin'), sizeStep)
    await expect(records(await open(true))).rejects.toThrow('it does not continue the segment before it')
    await rm(other, { recursive: true })
  })

  it('segments that are gone, with the records that are missing', async () => {
    const log = await open()
    for (const text of ['a', 'b', 'c']) {
      await log.append(record(text))
      await log.rotate()
    }
    await log.close()
    const kept = join(folder, 'kept')
    await copyFile(join(folder, 'log-2.bin'), kept)
    await rm(join(folder, 'log-2.bin'))
    await expect(records(await open(true))).rejects.toThrow('the records from 2 on are missing up to 2')
    await copyFile(kept, join(folder, 'log-2.bin'))
    await rm(join(folder, 'log-4.bin'))
    await expect(open(true)).rejects.toThrow('log-4.bin, is missing')
    await rm(join(folder, 'log.closed'))
    await expect(open(true)).rejects.toThrow('log-4.bin, is missing')
  })

  it('a segment in the place of another, and one of a later version', async () => {
    const log = await open()
    await log.append(record('a'))
    await log.rotate()
    await log.append(record('b'))
    await log.close()
    await copyFile(join(folder, 'log-1.bin'), join(folder, 'log-2.bin'))
    await expect(open()).rejects.toThrow('it begins with record 1, its name says 2')
    await rm(join(folder, 'log-2.bin'))
    await rm(join(folder, 'log-1.bin'))
    await expect(open()).rejects.toThrow('the log is missing')
  })

  it('nothing that stands beside it', async () => {
    await writeFile(join(folder, 'log-x.bin'), 'other')
    await writeFile(join(folder, 'notes.txt'), 'other')
    await truncate(join(folder, 'notes.txt'), 3)
    expect((await open()).next).toBe(1)
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['log-x.bin', 'notes.txt']))
  })
})
