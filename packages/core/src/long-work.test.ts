import { describe, expect, it } from 'vitest'
import type { Progress } from './long-work.ts'
import { eachInTurns, finish, inTurns, type Steps } from './long-work.ts'

/** Keeps the thread busy; the clock is what pauses go by. */
function spin(millis: number): void {
  const end = performance.now() + millis
  while (performance.now() < end);
}

function* counting(to: number, millis = 0, freed: string[] = []): Steps<string> {
  try {
    for (let i = 1; i <= to; i++) {
      spin(millis)
      yield i
    }
    return `counted to ${to}`
  } finally {
    freed.push('freed')
  }
}

describe('work in steps', () => {
  it('has one result, at once or in turns', async () => {
    expect(finish(counting(3))).toBe('counted to 3')
    expect(await inTurns(counting(3), {})).toBe('counted to 3')
  })

  it('lets others run every 40 ms or so', async () => {
    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    await inTurns(counting(40, 10), {})
    clearInterval(timer)
    expect(ticks).toBeGreaterThanOrEqual(5)
  })

  it('lets others run though every piece of it is short', async () => {
    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    for (let piece = 0; piece < 40; piece++) await inTurns(counting(2, 5), {})
    clearInterval(timer)
    expect(ticks).toBeGreaterThanOrEqual(5)
  })

  it('does short work before others have a turn', async () => {
    let ran = false
    setTimeout(() => {
      ran = true
    }, 0)
    await inTurns(counting(3), {})
    expect(ran).toBe(false)
  })

  it('reports how far it is, and the end', async () => {
    const seen: Progress[] = []
    const onProgress = (progress: Progress) => seen.push(progress)
    await inTurns(counting(10, 15), { onProgress }, { what: 'counting', total: 10 })
    expect(seen.length).toBeGreaterThan(1)
    expect(seen[0]).toMatchObject({ what: 'counting', total: 10 })
    expect(seen.at(-1)).toEqual({ what: 'counting', done: 10, total: 10 })
  })

  it('stops at the signal, and frees what it holds', async () => {
    const freed: string[] = []
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 5)
    const start = performance.now()
    await expect(inTurns(counting(1000, 10, freed), { signal: stop.signal })).rejects.toMatchObject({ code: 'ABORTED' })
    expect([freed, performance.now() - start < 1000]).toEqual([['freed'], true])
  })

  it('rejects with what onProgress threw', async () => {
    const fault = new Error('mine')
    const onProgress = () => {
      throw fault
    }
    await expect(inTurns(counting(20, 10), { onProgress }, { what: 'counting', total: 20 })).rejects.toBe(fault)
    await expect(eachInTurns(3, 'counting', { onProgress }, () => {})).rejects.toBe(fault)
  })
})
