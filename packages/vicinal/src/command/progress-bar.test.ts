import { describe, expect, it } from 'vitest'
import { ProgressBar } from './progress-bar.ts'

/** A terminal that records, and a clock that stands where it is put. */
function setUp({ isTTY = true, columns = 80 } = {}) {
  const lines: string[] = []
  const clock = { now: 0 }
  const write = (text: string) => lines.push(text.replaceAll('\r\x1b[2K', '<'))
  return { lines, clock, bar: new ProgressBar({ isTTY, columns, write }, () => clock.now) }
}

describe('ProgressBar', () => {
  it('shows what is under way, how far it is and the time left', () => {
    const { lines, clock, bar } = setUp()
    bar.update({ what: 'reading', done: 0, total: 100 })
    clock.now = 3000
    bar.update({ what: 'reading', done: 25, total: 100 })
    expect(lines).toEqual(['<reading  ██████░░░░░░░░░░░░░░░░░░  25 %  9 s left'])
  })

  it('shows the time taken where the end is not known', () => {
    const { lines, clock, bar } = setUp()
    bar.update({ what: 'reading', done: 1 })
    clock.now = 1500
    bar.update({ what: 'reading', done: 2 })
    expect(lines).toEqual(['<reading  2 s'])
  })

  it('counts the time left anew for each stage', () => {
    const { lines, clock, bar } = setUp()
    bar.update({ what: 'reading', done: 1, total: 2 })
    clock.now = 60_000
    bar.update({ what: 'writing', done: 0, total: 2 })
    clock.now = 61_000
    bar.update({ what: 'writing', done: 1, total: 2 })
    expect(lines.at(-1)).toBe('<writing  ████████████░░░░░░░░░░░░  50 %  1 s left')
  })

  it('stays silent for work that is done at once, and where stderr is no terminal', () => {
    const quick = setUp()
    quick.bar.update({ what: 'reading', done: 1, total: 2 })
    quick.bar.clear()
    const piped = setUp({ isTTY: false })
    piped.clock.now = 9000
    piped.bar.update({ what: 'reading', done: 1, total: 2 })
    piped.bar.clear()
    expect([quick.lines, piped.lines]).toEqual([[], []])
  })

  it('takes a terminal that does not know its width for a common one', () => {
    const { lines, clock, bar } = setUp({ columns: 0 })
    clock.now = 400
    bar.update({ what: 'reading', done: 1 })
    expect(lines).toEqual(['<reading  0 s'])
  })

  it('fits into a narrow terminal and clears itself', () => {
    const { lines, clock, bar } = setUp({ columns: 12 })
    clock.now = 400
    bar.update({ what: 'growing trees', done: 1, total: 2 })
    bar.clear()
    bar.clear()
    expect(lines).toEqual(['<growing tre', '<'])
  })
})
