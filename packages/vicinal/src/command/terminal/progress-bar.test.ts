import { describe, expect, it } from 'vitest'
import { ProgressBar } from './progress-bar.ts'

const plan = [
  { names: ['reading'], weight: 1 },
  { names: ['growing trees'], weight: 3 },
]

/** A terminal or file that records, and a clock that stands where it is put. */
function setUp({ isTTY = true, columns = 80 } = {}) {
  const lines: string[] = []
  const clock = { now: 0 }
  const write = (text: string) => lines.push(text.replaceAll('\r\x1b[2K', '<'))
  return { lines, clock, bar: new ProgressBar({ isTTY, columns, write }, plan, () => clock.now) }
}

describe('ProgressBar', () => {
  it('shows what is under way, how far the whole command is and the time left', () => {
    const { lines, clock, bar } = setUp()
    bar.update({ what: 'reading', done: 0, total: 100 })
    clock.now = 3000
    bar.update({ what: 'reading', done: 50, total: 100 })
    expect(lines).toEqual(['<reading  ███░░░░░░░░░░░░░░░░░░░░░  12 %  21 s left'])
  })

  it('goes on with the next stage where it was', () => {
    const { lines, clock, bar } = setUp()
    clock.now = 3000
    bar.update({ what: 'reading', done: 100, total: 100 })
    clock.now = 4000
    bar.update({ what: 'growing trees', done: 0, total: 10 })
    expect(lines.at(-1)).toBe('<growing trees  ██████░░░░░░░░░░░░░░░░░░  25 %  12 s left')
  })

  it('prints a line every ten seconds where stderr is no terminal', () => {
    const { lines, clock, bar } = setUp({ isTTY: false })
    for (clock.now = 0; clock.now <= 31_000; clock.now += 1000) {
      bar.update({ what: 'growing trees', done: clock.now, total: 40_000 })
    }
    bar.clear()
    expect(lines).toEqual([
      '25 % after 10 s, about 30 s left (growing trees)\n',
      '50 % after 20 s, about 20 s left (growing trees)\n',
      '75 % after 30 s, about 10 s left (growing trees)\n',
    ])
  })

  it('prints the line also if nothing was reported meanwhile, and one for a long silence', () => {
    const { lines, clock, bar } = setUp({ isTTY: false })
    bar.update({ what: 'reading', done: 1 })
    clock.now = 35_000
    bar.tick()
    bar.tick()
    expect(lines).toEqual(['0 % after 35 s (reading)\n'])
    clock.now = 40_000
    bar.tick()
    expect(lines).toHaveLength(2)
  })

  it('stays silent for work that is done at once', () => {
    const terminal = setUp()
    terminal.bar.update({ what: 'reading', done: 1, total: 2 })
    terminal.bar.clear()
    const piped = setUp({ isTTY: false })
    piped.clock.now = 9999
    piped.bar.update({ what: 'reading', done: 1, total: 2 })
    piped.bar.clear()
    expect([terminal.lines, piped.lines]).toEqual([[], []])
  })

  it('takes a terminal that does not know its width for a common one', () => {
    const { lines, clock, bar } = setUp({ columns: 0 })
    clock.now = 400
    bar.update({ what: 'reading', done: 0 })
    expect(lines).toEqual(['<reading  ░░░░░░░░░░░░░░░░░░░░░░░░   0 %'])
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
