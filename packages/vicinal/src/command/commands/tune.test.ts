import { existsSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { TestFolder, titles, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const data = folder.file('titles.jsonl', titles)
const fixed = ['--set', 'weighting=none', '--set', 'featureShare=1', '--set', 'neighborPower=2']

const tune = (...argv: string[]) => vicinal(['tune', data, ...fixed, ...argv])

describe('vicinal tune', () => {
  it('prints the options found and how many were tried', async () => {
    const { code, stdout, stderr } = await tune('--metric', 'p@1')
    const columns = 'titles.jsonl: text from "text", labels from "labels", ids from "id"\n'
    expect([code, folder.plain(stderr)]).toEqual([0, columns])
    expect(stdout).toMatch(
      /^p@1 [01]\.\d{4} with\n( {2}[\w.]+ +\S+\n)+\n\d+ sets of options tried: --table lists them\n$/,
    )
    expect(stdout).toMatch(/\n {2}weighting +none\n/)
  })

  it('lists every point with --table: the measure, and the options that differ', async () => {
    const { stdout } = await tune('--set', 'featurePower=2', '--set', 'mix=0.5', '--table')
    const [, table = ''] = stdout.split('tried\n')
    const [heads = '', ...lines] = table.trim().split('\n')
    expect(heads.trim().split(/ {2,}/)).toEqual(['p@1', 'neighbors'])
    expect(lines.length).toBeGreaterThan(5)
    for (const line of lines) expect(line.trim()).toMatch(/^[01]\.\d{4} {2,}\d+$/)
  })

  it('trains with what it found', async () => {
    const out = folder.at('tuned.model')
    const { code, stdout, stderr } = await tune('--metric', 'microF1', '--out', out, '--json')
    expect([code, stderr]).toEqual([0, ''])
    const { method, metric, value, options, points, seconds, peakRssBytes, modelBytes, ...rest } = JSON.parse(stdout)
    const columns = { text: ['text'], labels: 'labels', id: 'id' }
    expect([method, metric, rest]).toEqual(['lcif', 'microF1', { columns }])
    expect(Math.max(...points.map((point: { value: number }) => point.value))).toBe(value)
    expect([seconds, peakRssBytes, modelBytes].every(Number.isFinite)).toBe(true)
    const { stdout: inspected } = await vicinal(['inspect', out, '--json'])
    expect(JSON.parse(inspected).options).toMatchObject(options)
  })

  it('refuses a file in the way before it begins', async () => {
    const { code, stderr } = await tune('--out', folder.file('there.model', ''))
    expect([code, folder.plain(stderr)]).toEqual([4, expect.stringMatching(/^vicinal: there\.model: already exists\n/)])
  })

  it('refuses an unknown measure and lists the known ones', async () => {
    const { code, stderr } = await tune('--metric', 'p@2')
    expect([code, stderr]).toEqual([2, expect.stringMatching(/'p@2' is invalid\. Allowed choices are p@1, p@3, /)])
  })

  it('leaves no file where it was stopped', async () => {
    const argv = ['tune', data, '--out', folder.at('stopped.model')]
    expect((await vicinal(argv, { signal: AbortSignal.abort() })).code).toBe(130)
    expect(existsSync(folder.at('stopped.model'))).toBe(false)
  })
})
