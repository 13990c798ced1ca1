import { mkdirSync, readdirSync } from 'node:fs'
import { Random } from '@vicinal/core'
import { MemoryStore } from '@vicinal/server'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { jsonLines, TestFolder, titles, typed, vicinal } from '../../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

let store: string
let made = 0
beforeEach(async () => {
  store = folder.at(`store${made++}`)
  await vicinal(['memory', 'create', store])
})

async function memory(argv: readonly string[], ...lines: string[]) {
  const { code, stdout, stderr } = await vicinal(['memory', ...argv], { stdin: typed(...lines) })
  return { code, stderr: folder.plain(stderr).replaceAll(/store\d+/g, 'store'), lines: jsonLines(stdout) }
}

const three = [
  '{"text": "the door of the red house", "value": {"kind": "door", "open": false}, "id": "d1"}\n',
  '{"text": "mushrooms in the forest", "value": {"kind": "food"}}\n\n',
  '{"text": "a door in the forest", "value": "hidden"}',
] as const

describe('vicinal memory create', () => {
  it('makes a store with options', async () => {
    const path = folder.at('options')
    const { code, lines } = await memory(['create', path, '--set', 'trees=3', '--seed', '9', '--json'])
    expect(code).toBe(0)
    expect(lines[0].options).toMatchObject({ trees: 3, seed: 9, balance: 0.9, learner: 'logistic' })
  })

  it('refuses what is there, and options that are none', async () => {
    expect(await memory(['create', store])).toEqual({
      code: 4,
      lines: [],
      stderr: `vicinal: store: already exists\n  hint: Choose another path, or open the existing store.\n`,
    })
    expect((await memory(['create', folder.at('no'), '--set', 'treees=3'])).code).toBe(2)
    expect((await memory(['create', folder.at('no'), '--set', 'trees=0'])).code).toBe(2)
    expect(readdirSync(folder.path)).not.toContain('no')
  })
})

describe('vicinal memory insert', () => {
  it('stores one memory', async () => {
    expect(await memory(['insert', store, '--text', 'the red door', '--value', '"locked"'])).toEqual({
      code: 0,
      stderr: 'inserted 1 memory\n',
      lines: [{ id: 0 }],
    })
    expect((await memory(['insert', store, '--text', 'x', '--value', '1', '--id', 'b', '--json'])).lines).toEqual([
      { inserted: 1, memories: 2 },
    ])
  })

  it('stores every line of a file or of stdin', async () => {
    expect(await memory(['insert', store, '-'], ...three)).toEqual({
      code: 0,
      stderr: 'inserted 3 memories\n',
      lines: [{ id: 'd1' }, { id: 0 }, { id: 1 }],
    })
    const file = folder.file('vectors.jsonl', '{"key":[1,0],"value":1}\r\n{"key":[0,1],"value":2}\r\n')
    expect((await memory(['insert', store, file])).code).toBe(3) // its keys are texts
    const vectors = folder.at('vectors')
    await memory(['create', vectors])
    expect((await memory(['insert', vectors, file])).lines).toEqual([{ id: 0 }, { id: 1 }])
  })

  it('leaves a short log, which the next command opens soon', async () => {
    const lines = Array.from({ length: 1100 }, (_, i) => `{"text": "word${i} word${i % 9}", "value": ${i}}\n`)
    expect((await memory(['insert', store, '-', '--json'], ...lines)).lines).toEqual([
      { inserted: 1100, memories: 1100 },
    ])
    const { stdout } = await vicinal(['inspect', store, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ operations: 1100, logged: 0 })
  })

  it('says which line is bad, and keeps those before it', async () => {
    const lines = [three[0], '{"text": "", "value": 1}\n', three[1]]
    expect(await memory(['insert', store, '-'], ...lines)).toEqual({
      code: 3,
      stderr:
        'vicinal: (stdin):2: the key has no features, so it cannot be compared\n' +
        '  hint: Give a text with at least one word. 1 memory was stored before that.\n',
      lines: [{ id: 'd1' }],
    })
    expect((await memory(['check', store])).stderr).toBe('store is whole: 1 memory after 1 operation\n')
  })

  it.each([
    ['[1]', 'the line is [1], expected an object such as {"text": "…", "value": …}'],
    ['{"text": "x"', 'the line is not JSON'],
    ['{"text": "x"}', 'the memory has no value'],
    ['{"value": 1}', 'there is no "text" and no "key"'],
    ['{"text": "x", "key": [1, 2], "value": 1}', 'the memory has a text and a key, expected one of them'],
    ['{"text": "x", "value": 1, "lable": 2}', 'a memory has no field "lable"'],
    ['{"text": "x", "value": 1, "id": []}', 'the id is []'],
    ['{"key": {"indices": [1.5], "values": [1]}, "value": 1}', 'the key has feature 1.5'],
  ])('refuses the line %s', async (line, message) => {
    const { code, stderr } = await memory(['insert', store, '-'], line)
    expect(code).toBe(3)
    expect(stderr).toContain(`(stdin):1: ${message}`)
  })

  it('refuses half a memory, and a value that is not JSON', async () => {
    expect((await memory(['insert', store])).code).toBe(2)
    expect((await memory(['insert', store, '--text', 'x'])).code).toBe(2)
    expect((await memory(['insert', store, '-', '--text', 'x'])).code).toBe(2)
    const { code, stderr } = await memory(['insert', store, '--text', 'x', '--value', 'locked'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--value is locked, which is not JSON')])
  })

  it('stops at Ctrl-C with what it has stored', async () => {
    const stop = new AbortController()
    async function* endless() {
      for (let i = 0; ; i++) {
        if (i === 300) stop.abort()
        yield new TextEncoder().encode(`{"text": "word${i}", "value": ${i}}\n`)
      }
    }
    const io = { stdin: endless(), signal: stop.signal }
    const { code, stdout, stderr } = await vicinal(['memory', 'insert', store, '-'], io)
    expect(code).toBe(130)
    const told = jsonLines(stdout).length
    const hint = `  hint: ${told} memories were stored before that.\n`
    expect(stderr).toBe(`vicinal: stopped before the work was done\n${hint}`)
    expect(told).toBeGreaterThan(0)
    expect((await memory(['check', store, '--json'])).lines).toEqual([{ faults: [], memories: told, operations: told }])
  })
})

describe('a store of texts with vectors', () => {
  it('is filled, asked, rewarded, exported and imported without loss', async () => {
    const [hybrid, copy] = [folder.at('hybrid'), folder.at('hybrid-copy')]
    await memory(['create', hybrid])
    const key = (text: string, vector: string) => ['--text', text, '--vector', vector]
    await memory(['insert', hybrid, ...key('the red door', '[1, 0, 0.5]'), '--value', '"locked"', '--id', 'd1'])
    await memory(['insert', hybrid, '-'], '{"text": "a blue house", "vector": [0, 1, 0.1], "value": "open"}\n')
    const asked = await memory(['query', hybrid, ...key('something', '[0, 2, 0]'), '--k', '1'])
    expect(asked.lines).toMatchObject([{ value: 'open', text: 'a blue house', query: { key: { vector: [0, 2, 0] } } }])
    const rewarded = await memory(['reward', hybrid, '1', '--hit', JSON.stringify(asked.lines[0])])
    expect([rewarded.code, rewarded.stderr]).toEqual([0, 'rewarded the memory 0 with 1\n'])
    await memory(['reward', hybrid, '0.5', '--id', 'd1', ...key('door', '[1, 0, 0]')])
    const exported = await vicinal(['memory', 'export', hybrid])
    await memory(['create', copy])
    await memory(['insert', copy, '-'], exported.stdout)
    expect((await vicinal(['memory', 'export', copy])).stdout).toBe(exported.stdout)
    expect(exported.stdout.split('\n')).toHaveLength(3)
    expect((await memory(['check', hybrid])).code).toBe(0)
  })

  it.each([
    [['query', '--vector', '[1]'], 'expected either a file of queries, or --text'],
    [['query', '--text', 'x', '--vector', '1, 2'], '--vector'],
    [
      ['insert', '--text', 'x', '--value', '1', '--vector', '["1"]'],
      `--vector is '["1"]', expected a JSON array of numbers`,
    ],
  ])('refuses %j', async ([name = '', ...flags], message) => {
    const { code, stderr } = await memory([name, folder.at('hybrid'), ...flags])
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it('refuses lines with a vector alone, and says how to give one', async () => {
    const { stderr } = await memory(['insert', folder.at('hybrid'), '-'], '{"vector": [1], "value": 1}\n')
    expect(stderr).toContain('has a vector but no text, expected "key" for a vector alone')
  })
})

describe('vicinal memory query', () => {
  beforeEach(async () => {
    await memory(['insert', store, '-'], ...three)
  })

  it('prints a line a hit, best first', async () => {
    const { code, lines, stderr } = await memory(['query', store, '--text', 'red house door', '--k', '2'])
    expect([code, stderr]).toEqual([0, ''])
    expect(lines).toMatchObject([
      { id: 'd1', value: { kind: 'door', open: false }, query: { key: 'red house door' } },
      { id: 1, value: 'hidden' },
    ])
    expect(Object.keys(lines[0])).toEqual([
      ...['id', 'value', 'text', 'createdAt', 'reward', 'rewards', 'score', 'support', 'distance', 'query'],
    ])
  })

  it('answers every line of texts, or of JSON', async () => {
    const texts = await memory(['query', store, '-', '--k', '1'], 'mushrooms\nred house\n')
    expect(texts.lines.map(({ id }) => id)).toEqual([0, 'd1'])
    const file = folder.file('asked.jsonl', '{"text": "mushrooms"}\n{"key": "red house"}\n')
    expect((await memory(['query', store, file, '--k', '1'])).lines).toEqual(texts.lines)
    const both = await memory(['query', store, '-'], '{"text": null, "key": "red"}\n{"text": "red", "key": "house"}\n')
    expect([both.code, both.lines[0].id]).toEqual([3, 'd1'])
    expect(both.stderr).toContain('(stdin):2: the query has a text and a key, expected one of them')
    expect(await memory(['query', store, '-'], '!!\n')).toMatchObject({ code: 0, lines: [] })
  })

  it('keeps to conditions and scores', async () => {
    const ids = async (...flags: string[]) =>
      (await memory(['query', store, '--text', 'forest door', ...flags])).lines.map(({ id }) => id)
    expect((await ids()).length).toBe(3)
    expect(await ids('--where', 'kind=door')).toEqual(['d1'])
    expect(await ids('--where', 'open=false', '--where', 'kind=food')).toEqual([])
    expect(await ids('--min-score', '1')).toEqual([])
    expect((await memory(['query', store, '--text', 'x', '--where', 'kind'])).code).toBe(2)
  })

  it('draws anew each time it explores', async () => {
    const words = Array.from({ length: 60 }, (_, i) => `{"text": "word${i} word${i % 7}", "value": ${i}}\n`)
    await memory(['insert', store, '-'], ...words)
    const ask = async () =>
      (await memory(['query', store, '--text', 'word3', '--explore', '1'])).lines[0].query.explored
    const explored = [await ask(), await ask(), await ask(), await ask(), await ask(), await ask()]
    expect(new Set(explored.map(drawn => JSON.stringify(drawn))).size).toBeGreaterThan(1)
  })

  it('works beside a writer, where it does not explore', async () => {
    const writer = await MemoryStore.open(store)
    expect((await memory(['query', store, '--text', 'door'])).lines).toHaveLength(3)
    const exploring = await memory(['query', store, '--text', 'door', '--explore', '1'])
    expect(exploring.code).toBe(4)
    expect(exploring.stderr).toContain(`process ${process.pid} is writing this store, and only one process can`)
    await writer.close()
  })

  it('refuses wrong usage', async () => {
    expect((await memory(['query', store])).code).toBe(2)
    expect((await memory(['query', store, '-', '--text', 'x'])).code).toBe(2)
    expect((await memory(['query', store, '--text', 'x', '--explore', '2'])).code).toBe(2)
    expect((await memory(['query', folder.at('none'), '--text', 'x'])).stderr).toContain('none: no such store')
    mkdirSync(folder.at('other'))
    expect((await memory(['query', folder.at('other'), '--text', 'x'])).stderr).toContain('is not a store')
  })
})

describe('vicinal memory reward, remove, export', () => {
  beforeEach(async () => {
    await memory(['insert', store, '-'], ...three)
  })

  it('reward a hit, or a memory and a text', async () => {
    const { lines } = await memory(['query', store, '--text', 'red', '--k', '1'])
    expect(await memory(['reward', store, '1', '--hit', JSON.stringify(lines[0])])).toEqual({
      code: 0,
      stderr: 'rewarded the memory "d1" with 1\n',
      lines: [],
    })
    expect((await memory(['reward', store, '0.5', '--id', 'd1', '--text', 'red', '--json'])).lines).toEqual([
      { id: 'd1', rewards: 2, meanReward: 0.75 },
    ])
    expect((await memory(['reward', store, '0', '--id', '0', '--text', 'forest', '--json'])).lines).toMatchObject([
      { id: 0, rewards: 1 },
    ])
    expect((await memory(['check', store])).code).toBe(0)
  })

  it('refuse rewards that are none, and hits that are none', async () => {
    const id = ['--id', 'd1', '--text', 'red']
    expect((await memory(['reward', store, '1.5', ...id])).code).toBe(2)
    expect((await memory(['reward', store, '1', '--id', 'nobody', '--text', 'red'])).code).toBe(2)
    expect((await memory(['reward', store, '1', '--id', 'd1'])).code).toBe(2)
    expect((await memory(['reward', store, '1', '--hit', '{"id": "d1"}'])).code).toBe(2)
    expect((await memory(['reward', store, '1', '--hit', 'null'])).code).toBe(2)
    expect((await memory(['reward', store, '1', '--hit', '{"id": "d1", "query": null}'])).code).toBe(2)
    expect((await memory(['check', store, '--json'])).lines[0]).toMatchObject({ operations: 3 })
  })

  it('remove all that are named, or none', async () => {
    expect((await memory(['remove', store, 'd1', '7'])).code).toBe(2)
    expect(await memory(['remove', store, 'd1', '1'])).toMatchObject({ code: 0, stderr: 'removed 2, 1 left\n' })
    expect((await memory(['export', store])).lines).toEqual([
      {
        id: 0,
        text: 'mushrooms in the forest',
        value: { kind: 'food' },
        createdAt: expect.any(Number),
        reward: null,
        rewards: 0,
      },
    ])
  })

  it('export what insert takes back', async () => {
    const { stdout } = await vicinal(['memory', 'export', store])
    const again = folder.at('again')
    await memory(['create', again])
    await memory(['insert', again, '-'], stdout)
    expect((await vicinal(['memory', 'export', again])).stdout).toBe(stdout)
    const vectors = folder.at('rows')
    await memory(['create', vectors])
    await memory(['insert', vectors, '-'], '{"key": [3, 0, 4], "value": 1}')
    const { lines } = await memory(['export', vectors])
    expect(lines[0].key).toEqual([Math.fround(0.6), 0, Math.fround(0.8)])
    const [hit] = (await memory(['query', vectors, '-', '--k', '1'], '{"key": [1, 0, 0]}')).lines
    expect(hit.query.key).toEqual([1, 0, 0])
    expect((await memory(['reward', vectors, '1', '--hit', JSON.stringify(hit)])).code).toBe(0)
  })

  const random = new Random(7)
  const numbers = (count: number) => Array.from({ length: count }, () => random.normal())
  const keys = {
    text: () => ({ text: Array.from({ length: 6 }, () => `word${random.below(60)}`).join(' ') }),
    dense: () => ({ key: [...numbers(11), 0] }),
    sparse: () => ({ key: { indices: [random.below(9), 9 + random.below(9), 20], values: numbers(3) } }),
  }

  it('leaves out what has expired since it was exported, and says so', async () => {
    const line = (expiresAt: number) => `${JSON.stringify({ text: `note ${expiresAt}`, value: 1, expiresAt })}\n`
    const again = folder.at('expired')
    await memory(['create', again])
    const { stderr, lines } = await memory(['insert', again, '-'], line(5), line(Date.now() + 1e9), line(6))
    expect([stderr, lines.length]).toEqual(['inserted 1 memory; skipped 2 that had expired\n', 1])
    const { lines: told } = await memory(['insert', again, '-', '--json'], line(5))
    expect(told).toEqual([{ inserted: 0, expired: 1, memories: 1 }])
  })

  it.each(Object.entries(keys))('export %s keys so that a store of them answers the same', async (kind, keyOf) => {
    const made = Array.from({ length: 300 }, (_, i) => `${JSON.stringify({ ...keyOf(), value: i })}\n`)
    const asked = Array.from({ length: 50 }, () => `${JSON.stringify(keyOf())}\n`)
    const [first, second] = [folder.at(`${kind}-1`), folder.at(`${kind}-2`)]
    for (const path of [first, second]) await memory(['create', path])
    await memory(['insert', first, '-'], ...made)
    const exported = (await vicinal(['memory', 'export', first])).stdout
    expect((await memory(['insert', second, '-'], exported)).stderr).toBe('inserted 300 memories\n')
    expect((await vicinal(['memory', 'export', second])).stdout).toBe(exported)
    const answers = (await memory(['query', first, '-'], ...asked)).lines
    expect(answers.length).toBeGreaterThan(100)
    expect((await memory(['query', second, '-'], ...asked)).lines).toEqual(answers)
    // Rewards whose sum is no round number, in the order that gives it.
    const { MemoryStore } = await import('@vicinal/server')
    const store = await MemoryStore.open(first)
    for (let id = 0; id < 300; id += 3) {
      const { key } = store.get(id) ?? { key: 'none' }
      for (let i = 0; i <= id % 7; i++) await store.update({ id, query: { key } }, random.float())
    }
    await store.update(7, { metadata: { from: 'test' }, expiresAt: Date.now() + 1e9 })
    await store.close()
    const rewarded = (await vicinal(['memory', 'export', first])).stdout
    expect(jsonLines(rewarded).filter(({ rewards }) => rewards > 0)).toHaveLength(100)
    const third = folder.at(`${kind}-3`)
    await memory(['create', third])
    await memory(['insert', third, '-'], rewarded)
    expect((await vicinal(['memory', 'export', third])).stdout).toBe(rewarded)
  })
})

describe('vicinal memory replay', () => {
  const rows = Array.from({ length: 60 }, (_, i) => {
    const label = ['red', 'green', 'blue'][i % 3]
    return `${JSON.stringify({ text: `${label} word${i} thing`, labels: [label] })}\n`
  }).join('')

  it('measures answers to rows never seen, and what operations cost', async () => {
    const { code, stdout } = await vicinal(['memory', 'replay', folder.file('rows.jsonl', rows), '--json'])
    const [result] = jsonLines(stdout)
    expect(code).toBe(0)
    expect(result).toMatchObject({ rows: 60, labels: 3, memories: 60, unusable: 0 })
    expect(result.passes[0].accuracy).toBeGreaterThan(0.8)
    expect(result.passes[0].entropyReduction).toBeCloseTo(Math.log2(result.passes[0].accuracy * 3), 10)
    for (const name of ['query', 'learn', 'insert']) expect(result.micros[name]).toBeGreaterThan(0)
  })

  it('keeps the memory in a store, with the same answers, and prints a report', async () => {
    const [data, path] = [folder.file('again.jsonl', rows), folder.at('kept')]
    const [plain] = jsonLines((await vicinal(['memory', 'replay', data, '--passes', '2', '--json'])).stdout)
    const { code, stdout } = await vicinal(['memory', 'replay', data, '--passes', '2', '--store', path])
    expect(code).toBe(0)
    for (const { accuracy } of plain.passes) expect(stdout).toContain(accuracy.toFixed(4))
    expect(stdout).toContain('60 rows with 3 labels, 60 memories')
    expect((await memory(['check', path])).code).toBe(0)
    expect((await memory(['query', path, '--text', 'red', '--k', '1'])).lines[0].value).toEqual(['red'])
    expect((await vicinal(['memory', 'replay', data, '--store', path])).code).toBe(4)
  })

  it('rewards several labels with F1, and leaves out rows without words', async () => {
    const data = folder.file('titles.jsonl', `${titles}{"id": "t12", "text": "!", "labels": ["fish"]}\n`)
    const [result] = jsonLines((await vicinal(['memory', 'replay', data, '--json'])).stdout)
    expect(result).toMatchObject({ rows: 13, memories: 12, unusable: 1 })
    expect(result.passes[0].f1).toBeGreaterThan(0)
    expect(result.passes[0].accuracy).toBeUndefined()
  })

  it('refuses data without labels, and leaves no store behind', async () => {
    const path = folder.at('nothing')
    const data = folder.file('plain.jsonl', '{"text": "x"}\n')
    expect((await vicinal(['memory', 'replay', data, '--store', path])).code).toBe(3)
    expect((await vicinal(['memory', 'replay', folder.at('no.jsonl'), '--store', path])).code).toBe(4)
    expect(readdirSync(folder.path)).not.toContain('nothing')
  })
})

describe('vicinal memory', () => {
  it('explains itself', async () => {
    expect((await vicinal(['memory', '--help'])).stdout).toMatchInlineSnapshot(`
      "Usage: vicinal memory <command> [options]

      Keep memories in a store on disk: find them again, reward what helped, forget on
      demand.

      Options:
        -h, --help               show this help

      Global Options:
        --version                print the version
        --json                   print one JSON object instead of text
        --threads <n>            number of threads (default: one per core)
        --seed <n>               random seed (default: 1)

      Commands:
        create <store>           create an empty memory store
        insert <store> [data]    store memories
        query <store> [queries]  find the best memories
        reward <store> <reward>  say how much a memory helped
        remove <store> <ids…>    forget memories
        list <store>             print memories, page by page
        get <store> <ids…>       print memories by their ids
        replay <data>            measure how well labeled data is learned online
        check <store>            check that a store is intact
        export <store>           print all memories as lines of JSON
        backup <store> <file>    write a store to one file
        restore <file> <store>   create a store from a backup

      More:
        help [command]           show the help of a command

      What a command reports as done is on disk. Only one process at a time can write a
      store; queries without --explore, check and export can run at the same time.

      Examples:
        vicinal memory create notes
        vicinal memory insert notes --text "the door of the red house" --value '"locked"'
        vicinal memory query notes --text "a red door" > hits.jsonl
        vicinal memory reward notes 1 --hit "$(head -1 hits.jsonl)"
        vicinal memory remove notes 0
      "
    `)
  })

  it('lists and gets memories, with their rewards', async () => {
    await memory(['insert', store, '-'], ...three)
    await memory(['insert', store, '--text', 'a blue door', '--value', '1', '--namespace', 'anna'])
    await memory(['reward', store, '1', '--id', 'd1', '--text', 'a red door'])
    expect((await memory(['list', store, '--order', 'reward', '--limit', '1'])).lines).toMatchObject([
      { id: 'd1', text: 'the door of the red house', reward: 1, rewards: 1 },
    ])
    expect((await memory(['list', store, '--order', 'oldest', '--offset', '1'])).lines.map(({ id }) => id)).toEqual([
      0, 1, 2,
    ])
    const [page] = (await memory(['list', store, '--namespace', 'anna', '--json'])).lines
    expect([page.count, page.memories[0].text]).toEqual([1, 'a blue door'])
    expect((await memory(['query', store, '--text', 'door', '--namespace', 'anna'])).lines.map(({ id }) => id)).toEqual(
      [2],
    )
    expect((await memory(['get', store, 'd1', '2'])).lines).toMatchObject([{ id: 'd1' }, { id: 2, namespace: 'anna' }])
    expect(await memory(['get', store, 'd1', 'd9'])).toMatchObject({ code: 2, lines: [] })
  })

  it('backs a store up and restores it, what was learned included', async () => {
    await memory(['insert', store, '-'], ...three)
    await memory(['reward', store, '1', '--id', 'd1', '--text', 'a red door'])
    const [file, again] = [folder.at('one.backup'), folder.at('restored')]
    expect((await memory(['backup', store, file])).code).toBe(0)
    expect((await memory(['backup', store, file])).code).toBe(4) // it is there
    expect((await memory(['restore', file, again])).stderr).toContain('with 3 memories')
    const ask = (path: string) => memory(['query', path, '--text', 'a red door', '--k', '3'])
    expect((await ask(again)).lines).toEqual((await ask(store)).lines)
    expect((await memory(['check', again])).code).toBe(0)
    const { code, stderr } = await memory(['restore', folder.file('no.backup', 'nonsense'), folder.at('none')])
    expect([code, stderr.includes('hint')]).toEqual([4, true])
    expect(readdirSync(folder.path)).not.toContain('none')
  })

  it('fails where no command is given', async () => {
    expect((await vicinal(['memory'])).code).toBe(2)
  })

  it.each([
    'create',
    'insert',
    'query',
    'reward',
    'remove',
    'list',
    'get',
    'replay',
    'check',
    'export',
    'backup',
    'restore',
  ])('explains %s with examples', async name => {
    const { code, stdout } = await vicinal(['memory', name, '--help'])
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^Usage: vicinal memory ${name} `))
    expect(stdout).toContain(`\nExamples:\n  vicinal memory `)
    expect(stdout.split('\n').filter(line => line.length > 100)).toEqual([])
  })

  it('has its store looked into by inspect', async () => {
    await memory(['insert', store, '-'], ...three)
    const { code, stdout } = await vicinal(['inspect', store])
    expect(code).toBe(0)
    expect(stdout).toContain('3 memories of')
    expect(stdout).toContain('and 3 operations since')
    const [facts] = jsonLines((await vicinal(['inspect', store, '--json'])).stdout)
    expect(facts).toMatchObject({ kind: 'store', memories: 3, operations: 3, logged: 3 })
    const snapshot = await vicinal(['inspect', `${store}/snapshot-0.memory`])
    expect(snapshot.stdout).toContain('0 memories')
  })

  it('says what is damaged', async () => {
    await memory(['insert', store, '-'], ...three)
    folder.file(`${store.slice(folder.path.length + 1)}/snapshot-0.memory`, 'nonsense')
    const { code, stderr } = await memory(['check', store])
    expect(code).toBe(4)
    expect(stderr).toContain('store/snapshot-0.memory')
    // Once where, and nothing that fails the same way.
    expect(stderr.split('snapshot-0.memory')).toHaveLength(2)
    expect(stderr).toMatch(/\n {2}hint: Restore the store from a backup\.\n$/)
    expect((await memory(['export', store])).code).toBe(4)
  })
})
