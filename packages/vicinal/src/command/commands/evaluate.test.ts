import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestFolder, titles, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const model = folder.at('titles.model')
const data = folder.file('titles.jsonl', titles)

beforeAll(async () => {
  await vicinal(['train', data, '--out', model, '--set', 'weighting=none', '--set', 'neighbors=5'])
})

async function evaluate(...argv: string[]) {
  const { code, stdout, stderr } = await vicinal(['evaluate', model, ...argv])
  return { code, stdout: folder.plain(stdout), stderr: folder.plain(stderr) }
}

describe('vicinal evaluate', () => {
  it('prints exactly what programs rely on with --json', async () => {
    const { code, stdout, stderr } = await evaluate(data, '--json', '--threads', '1')
    expect([code, stderr]).toEqual([0, ''])
    const { n, labels, method, metrics, cost, ...rest } = JSON.parse(stdout)
    const columns = { text: ['text'], labels: 'labels', id: 'id' }
    expect([n, labels, method, rest]).toEqual([12, 8, 'lcif', { columns }])
    expect(Object.keys(metrics)).toEqual([
      ...['p@1', 'p@3', 'p@5', 'ndcg@1', 'ndcg@3', 'ndcg@5', 'psp@1', 'psp@3', 'psp@5'],
      ...['accuracy', 'hammingLoss', 'microF1', 'macroF1', 'instanceF1', 'macroF1Mulan'],
      ...['microPrecision', 'microRecall', 'macroPrecision', 'macroRecall', 'instancePrecision', 'instanceRecall'],
    ])
    for (const value of Object.values(metrics)) expect(value).toSatisfy((value: number) => value >= 0 && value <= 1)
    expect(metrics['p@1']).toBeGreaterThan(0.9) // it was trained on these rows
    expect(Object.keys(cost)).toEqual(['predictMillisPerItem', 'threads', 'modelBytes', 'peakRssBytes'])
    expect(cost.threads).toBe(1)
    expect(Object.values(cost).every(value => Number(value) > 0)).toBe(true)
  })

  it('prints quality and cost for people', async () => {
    const { stdout } = await evaluate(data, '--threads', '1')
    const plain = stdout.replace(/[\d.]+ ms|[\d.]+ [kMG]B/g, '…').replace(/0\.\d{4}|1\.0000/g, '…')
    expect(plain).toMatchInlineSnapshot(`
      "titles.model
        model   lcif, 8 labels, …
        data    titles.jsonl, 12 rows
        time    … per row with 1 thread
        memory  … at most

      ranked labels
        at         1       3       5
        p     …  …  …
        ndcg  …  …  …
        psp   …  …  …

      sets of labels
        accuracy           …
        hammingLoss        …
        microF1            …
        macroF1            …
        instanceF1         …
        macroF1Mulan       …
        microPrecision     …
        microRecall        …
        macroPrecision     …
        macroRecall        …
        instancePrecision  …
        instanceRecall     …
      "
    `)
  })

  it('measures a model of two rows: all but psp, and says why', async () => {
    const rows = folder.file('two.jsonl', '{"text":"ships","labels":["sea"]}\n{"text":"trees","labels":["land"]}\n')
    const two = folder.at('two.model')
    await vicinal(['train', rows, '--out', two])
    const { code, stdout, stderr } = await vicinal(['evaluate', two, rows, '--json'])
    expect([code, folder.plain(stderr)]).toEqual([
      0,
      'two.model: psp is not measured: propensities need at least 3 training rows, got 2\n',
    ])
    expect(JSON.parse(stdout).metrics).toMatchObject({
      'p@1': 1,
      'psp@1': null,
      'psp@3': null,
      'psp@5': null,
      microF1: 1,
    })
    expect((await vicinal(['evaluate', two, rows])).stdout).toMatch(/\n {2}psp +– +– +–\n/)
  })

  it('counts labels that the model does not know as missed', async () => {
    const [known, unknown] = [
      folder.file('known.jsonl', '{"text":"cooking for two","labels":["cooking"]}\n'),
      folder.file('unknown.jsonl', '{"text":"cooking for two","labels":["cooking","dinner"]}\n'),
    ]
    const { metrics: all, labels } = JSON.parse((await evaluate(known, '--json')).stdout)
    const { stdout, stderr } = await evaluate(unknown, '--json')
    const { metrics: half } = JSON.parse(stdout)
    expect(stderr).toBe('unknown.jsonl: 1 label is counted as missed: the model does not know it\n')
    expect([all.microRecall, half.microRecall, labels]).toEqual([1, 0.5, 8])
  })

  it('tells how each label fares: all to programs, the best and the worst to people', async () => {
    const { perLabel } = JSON.parse((await evaluate(data, '--json', '--per-label')).stdout)
    expect(perLabel).toHaveLength(8)
    expect(perLabel[0]).toEqual({
      label: 'shipping',
      ...{ support: 4, predicted: expect.any(Number), correct: expect.any(Number) },
      ...{ precision: expect.any(Number), recall: expect.any(Number), f1: expect.any(Number) },
    })
    const { stdout } = await evaluate(data, '--per-label')
    expect(stdout).toMatch(/\nbest labels\n +f1 +precision +recall +rows +predicted +label\n( +[\d.]+ .*\n){8}$/)
  })
})

describe('vicinal evaluate refuses', () => {
  it.each([
    ['{"text":"a"}\n', 'data.jsonl has no labels'],
    [
      '{"text":"a","labels":["x"]}\n',
      'the model knows none of the 1 labels of data.jsonl: "x" does not match any of its labels, such as "shipping"',
    ],
    ['{"vector":[1],"labels":["fish"]}\n', 'data.jsonl has no texts, and the model was fitted on texts'],
  ])('%j', async (line, message) => {
    const { code, stderr } = await evaluate(folder.file('data.jsonl', line))
    expect([code, stderr.split('\n')[0]]).toEqual([3, `vicinal: ${message}`])
  })
})
