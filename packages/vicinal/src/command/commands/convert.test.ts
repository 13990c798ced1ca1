import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { writableFormatNames } from '@vicinal/core/data'
import { afterAll, describe, expect, it } from 'vitest'
import { keptParts } from '../files/conversion-loss.ts'
import { TestFolder, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

const xmc = '2 3 2\n0,1 0:0.5 2:2\n1 1:-1\n'

async function convert(input: string, output: string, ...flags: string[]) {
  const { code, stdout, stderr } = await vicinal(['convert', input, folder.at(output), ...flags])
  return { code, stdout: folder.plain(stdout), stderr: folder.plain(stderr) }
}

const written = (name: string) => readFileSync(folder.at(name), 'utf8')

describe('vicinal convert', () => {
  it('writes the format that the ending tells, and says what it wrote', async () => {
    const result = await convert(folder.file('a.txt', xmc), 'a.svm')
    expect(result).toEqual({
      code: 0,
      stdout: '',
      stderr: 'wrote a.svm (svmlight): 2 rows, 3 features, 2 labels, 21 bytes\n',
    })
    expect(written('a.svm')).toBe('0,1 1:0.5 3:2\n1 2:-1\n')
  })

  it('writes the format that was named, compressed where the ending says so', async () => {
    const result = await convert(folder.file('b.txt', xmc), 'b.data.gz', '--to', 'jsonl', '--json')
    const { seconds, peakRssBytes, bytes, ...summary } = JSON.parse(result.stdout)
    expect({ ...result, stdout: summary }).toEqual({
      code: 0,
      stdout: { input: 'b.txt', output: 'b.data.gz', format: 'jsonl', rows: 2, features: 3, labels: 2, skipped: 0 },
      stderr: '',
    })
    expect([seconds, peakRssBytes, bytes].every(Number.isFinite)).toBe(true)
    expect(gunzipSync(readFileSync(folder.at('b.data.gz'))).toString()).toBe(
      '{"labels":[0,1],"vector":{"indices":[0,2],"values":[0.5,2]}}\n{"labels":[1],"vector":{"indices":[1],"values":[-1]}}\n',
    )
  })

  it('comes back as it was: xmc to svmlight to xmc', async () => {
    await convert(folder.file('c.txt', xmc), 'c.svm')
    await convert(folder.at('c.svm'), 'd.txt')
    expect(written('d.txt')).toBe(xmc)
  })

  it('overwrites only where asked to', async () => {
    const input = folder.file('e.txt', xmc)
    folder.file('e.svm', 'precious')
    const refused = await convert(input, 'e.svm')
    expect(refused.code).toBe(4)
    expect(refused.stderr).toMatch(/^vicinal: e\.svm.* exists.*\n {2}hint: .*\n$/)
    expect(written('e.svm')).toBe('precious')
    expect((await convert(input, 'e.svm', '--force')).code).toBe(0)
    expect(written('e.svm')).toMatch(/^0,1 /)
  })

  it('counts the bad rows it skipped', async () => {
    const result = await convert(folder.file('f.svm', '0 1:1\n0 1:x\n'), 'f.txt', '--skip-bad-rows')
    expect(result.stderr).toBe('wrote f.txt (xmc): 1 row, 1 feature, 1 label, 12 bytes, 1 bad row skipped\n')
  })
})

describe('vicinal convert to CSV', () => {
  it('writes texts with ids and labels, which read back the same', async () => {
    const input = folder.file(
      't.jsonl',
      '{"id":"a","text":"Hi, \\"you\\"\\nthere","labels":["New York","x"]}\n{"id":"b","text":"","labels":[]}\n',
    )
    expect((await convert(input, 't.csv')).code).toBe(0)
    expect(readFileSync(folder.at('t.csv'), 'utf8')).toBe('id,text,labels\na,"Hi, ""you""\nthere","New York;x"\nb,,\n')
    expect((await convert(folder.at('t.csv'), 'u.jsonl')).code).toBe(0)
    expect(readFileSync(folder.at('u.jsonl'), 'utf8')).toBe(readFileSync(input, 'utf8'))
  })

  it("writes URIs in Annif's columns, and names beside them as JSON", async () => {
    const input = folder.file('a.tsv', 'Ships\t<http://x/1> <http://x/2>\n')
    const names = folder.file('v.tsv', '<http://x/1>\tlaivat\n')
    expect((await convert(input, 'a.csv')).code).toBe(0)
    expect(readFileSync(folder.at('a.csv'), 'utf8')).toBe('text,subject_uris\nShips,<http://x/1> <http://x/2>\n')
    expect((await convert(folder.at('a.csv'), 'a.jsonl', '--vocabulary', names)).code).toBe(0)
    expect(readFileSync(folder.at('a.jsonl'), 'utf8')).toBe(
      '{"text":"Ships","labels":[{"uri":"http://x/1","label":"laivat"},"http://x/2"]}\n',
    )
  })

  it('writes dense numbers, and refuses sparse ones', async () => {
    const input = folder.file('n.jsonl', '{"vector":[1,0.5],"labels":["a"]}\n')
    expect((await convert(input, 'n.csv')).code).toBe(0)
    expect(readFileSync(folder.at('n.csv'), 'utf8')).toBe('x1,x2,labels\n1,0.5,a\n')
    const sparse = await convert(folder.file('s.svm', 'a 1:1\n'), 's.csv')
    expect([sparse.code, sparse.stderr]).toEqual([
      2,
      expect.stringContaining('has sparse features, and csv files hold dense ones'),
    ])
  })
})

describe('vicinal convert refuses', () => {
  it('to lose labels silently', async () => {
    const csv = folder.file('g.csv', 'x,y,labels\n1,2,cat\n3,4,dog\n')
    expect(await convert(csv, 'g.npy')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'vicinal: npy files cannot hold the feature names and labels of g.csv\n  hint: To leave them out, add --drop feature-names --drop labels.\n',
    })
    expect(existsSync(folder.at('g.npy'))).toBe(false)
    const { code } = await convert(csv, 'g.npy', '--drop', 'feature-names', '--drop', 'labels')
    expect(code).toBe(0)
  })

  it('to lose the names of labels silently', async () => {
    const input = folder.file('h.svm', 'cat 1:1\ndog 1:2\n')
    expect(await convert(input, 'h.txt')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'vicinal: xmc files cannot hold the label names of h.svm\n  hint: To leave them out, add --drop label-names.\n',
    })
    expect((await convert(input, 'h.txt', '--drop', 'label-names')).code).toBe(0)
    expect(written('h.txt')).toBe('2 1 2\n0 0:1\n1 0:2\n')
  })

  it('to write label names that svmlight would cut into pieces', async () => {
    const input = folder.file('i.jsonl', '{"labels":["two words"],"vector":[1]}\n')
    const { code, stderr } = await convert(input, 'i.svm')
    expect(code).toBe(2)
    expect(stderr).toMatch(/^vicinal: svmlight files cannot hold the label names of i\.jsonl\n/)
  })

  it('to write a label with a comma to svmlight, where it would be two', async () => {
    const input = folder.file('comma.jsonl', '{"labels":["ok"],"vector":[1]}\n{"labels":["a,b"],"vector":[2]}\n')
    const { code, stderr } = await convert(input, 'comma.svm')
    expect(code).toBe(2)
    expect(stderr).toContain('single words without commas, colons and #, unlike "a,b".')
    expect(existsSync(folder.at('comma.svm'))).toBe(false)
  })

  it('texts where only features fit, and says what is missing', async () => {
    const input = folder.file('j.jsonl', '{"text":"hello","labels":["a"]}\n')
    const { code, stderr } = await convert(input, 'j.fvecs')
    expect(code).toBe(2)
    expect(stderr).toMatch(/^vicinal: j\.jsonl has no features, .*\n/)
    expect(existsSync(folder.at('j.fvecs'))).toBe(false)
  })

  it('an ending that tells no format, before it reads', async () => {
    const { code, stderr } = await convert(folder.at('missing.txt'), 'k.xyz')
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^vicinal: cannot write k\.xyz: cannot tell the format from its extension\n {2}hint: Name the format with --to: .*xmc.*\n$/,
    )
  })

  it.each(['parquet', 'arff'])(
    'to write %s, and does not advise to write something else under that name',
    async ending => {
      const { code, stderr } = await convert(folder.at('missing.txt'), `k.${ending}`)
      expect(code).toBe(2)
      expect(stderr.split('\n')).toEqual([
        `vicinal: cannot write k.${ending}: Vicinal reads ${ending}, but does not write it`,
        expect.stringMatching(
          /^ {2}hint: Choose another extension, such as \.jsonl\. It writes (?!.*arff).*jsonl.*\.$/,
        ),
        '',
      ])
    },
  )

  it('an output that is there already, before it reads', async () => {
    folder.file('m.svm', 'precious')
    const { code, stderr } = await convert(folder.at('missing.txt'), 'm.svm')
    expect([code, stderr]).toEqual([
      4,
      'vicinal: m.svm: already exists\n  hint: Choose another path, or overwrite it with --force.\n',
    ])
    expect(written('m.svm')).toBe('precious')
  })

  it('to drop what is no part', async () => {
    const { code, stderr } = await convert('a', 'b.npy', '--drop', 'rows')
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /argument 'rows' is invalid\. Allowed choices are ids, texts, features, feature-names, labels, label-names\.\n/,
    )
  })

  it('a missing input, with 4', async () => {
    const { code, stderr } = await convert(folder.at('missing.txt'), 'l.svm')
    expect([code, stderr]).toEqual([4, 'vicinal: missing.txt: no such file\n  hint: Check the path.\n'])
  })
})

it('knows what every format keeps that can be written', () => {
  expect(Object.keys(keptParts).sort()).toEqual(writableFormatNames().sort())
})
