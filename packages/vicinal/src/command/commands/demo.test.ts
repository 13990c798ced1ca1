import { selectRows } from '@vicinal/core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TextSource } from '../command-io.ts'
import { readTitles, type Titles } from '../demo/data.ts'
import { demo } from './demo.ts'
import '../../index.ts'

/** The first 2,000 titles, and 200 to test with: enough to see how it goes. */
let titles: Titles

beforeAll(async () => {
  const { train, test } = await readTitles({})
  const first = (rows: number) => Uint32Array.from({ length: rows }, (_, row) => row)
  titles = { train: selectRows(train, first(2000)), test: selectRows(test, first(200)) }
})

interface Typed {
  readonly lines?: readonly string[]
  /** Pressed after the lines, as Ctrl-C. */
  readonly interrupt?: boolean
}

async function run({ lines, interrupt = false }: Typed = {}, json = false) {
  const written = { stdout: '', stderr: '' }
  const stop = new AbortController()
  const sink = (name: keyof typeof written) => ({ write: (text: string) => { written[name] += text } }) // biome-ignore format: one idea
  await demo(titles, json ? { json } : {}, {
    ...{ stdout: sink('stdout'), stderr: sink('stderr'), env: {}, signal: stop.signal },
    stdin: lines ? terminal(lines, interrupt ? stop : undefined) : new Blob().stream(),
  })
  return written
}

/** Somebody who types lines, then presses Ctrl-C and nothing more, or Ctrl-D. */
function terminal(lines: readonly string[], stop: AbortController | undefined): TextSource {
  async function* type(): AsyncGenerator<Uint8Array> {
    for (const line of lines) yield new TextEncoder().encode(`${line}\n`)
    if (!stop) return
    stop.abort()
    await new Promise(() => {}) // the terminal stays open
  }
  return { isTTY: true, [Symbol.asyncIterator]: type }
}

const timeless = (text: string) => text.replace(/[\d.]+ m?s\b/g, '…')

describe('vicinal demo', () => {
  it('tells of the data, the quality and the cost, then suggests subjects with reasons', async () => {
    const { stdout, stderr } = await run()
    const [data, measured, ...suggested] = stdout.split('\n\n')
    expect(data).toBe(`Titles of works in Finnish libraries, with the subjects that librarians gave them
  to learn from  2,000 titles, 2,985 subjects
  on average     1.32 subjects per title
  to test with   200 other titles`)
    expect(measured?.replace(/[\d.]+ (%|m?s\b|[kM]B)/g, '# $1')).toBe(`Learned, and tested on the other titles
  learning took  # s
  p@1            # % of the first suggestions are right
  p@3            # % of the first 3 are right; at most # % can be
  p@5            # % of the first 5 are right; at most # % can be
  time           # ms per title
  model          # MB`)
    expect(suggested).toHaveLength(3)
    for (const text of suggested) {
      expect(text.trim()).toMatch(/^".*"(\n\S.* {2}0\.\d{3}(\n {2}(near|word) {2}0\.\d{3} {2}\S+ +.*)+){3}$/)
    }
    expect(stderr).toBe('\nFor your own data: vicinal train --help\n')
  })

  it('prints the same each time, but for the timings', async () => {
    expect(timeless((await run()).stdout)).toBe(timeless((await run()).stdout))
  })

  it('prints one object with --json', async () => {
    const { stdout, stderr } = await run({ lines: ['never read'] }, true)
    const result = JSON.parse(stdout)
    expect([stderr, Object.keys(result)]).toEqual(['', ['method', 'options', 'seconds', 'metrics', 'cost', 'titles']])
    expect(result.titles).toHaveLength(3)
    expect(result.titles[0].labels[0]).toEqual({
      label: expect.stringMatching(/^http:\/\/www\.yso\.fi\/onto\/yso\/p\d+$/),
      name: expect.any(String),
      score: expect.any(Number),
    })
  })

  it('takes titles from a terminal until an empty line', async () => {
    const { stdout, stderr } = await run({ lines: ['The history of jazz', 'qqqq', '', 'too late'] })
    expect(stdout).toContain('\n"The history of jazz"\n')
    expect(stdout).toMatch(/\n"qqqq": none of its words is known, so there are no subjects\n\n$/)
    expect(stderr).toMatch(/^\nYour turn: type a title, or press Enter to quit\.\n> > > \nFor your own data/)
  })

  it.each([false, true])('ends at the end of the input, and at Ctrl-C: %j', async interrupt => {
    const { stderr } = await run({ lines: ['The history of jazz'], interrupt })
    expect(stderr).toMatch(/\n> > \n\nFor your own data: vicinal train --help\n$/)
  })
})
