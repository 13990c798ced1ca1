// Stores with hostile names, links, claims and states, all of them well sealed: whoever makes a store for others to open must not be
// able to read, change or remove anything outside of it, nor to end or hang the process that opens it.

import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { report } from './report.ts'
import { layOut, makeSamples, type StoreSample, tryStore } from './store.cases.ts'

// Parts of the server that it does not export: to write what a store would never write, well sealed.
interface OpenLog {
  append(record: Uint8Array): Promise<number>
  close(): Promise<void>
}
const server = new URL('../../packages/server/src/log/', import.meta.url)
const { Log }: { Log: { open(folder: string): Promise<OpenLog> } } = await import(`${server}log.ts`)
const { sealJson }: { sealJson(name: string, value: object): string } = await import(`${server}sealed-json.ts`)

const folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
const path = join(folder, 'store')
const outside = join(folder, 'outside')
const samples = await makeSamples()
afterAll(() => rm(folder, { recursive: true }))

const names = [
  'store.json',
  'snapshot-2.memory',
  'log-3.bin',
  'log.closed',
  'writer-1.json',
  'snapshot-5.memory',
  'log-6.bin',
]
const uuid = '00000000-0000-4000-8000-000000000000'
const strange = [
  ...[`writer-${uuid}.sock`, `log-3.bin.${uuid}.tmp`, `log.closed.${uuid}.tmp`, `store.json.${uuid}.tmp`],
  ...['writer-2.json', 'writer-999999999999999.json', 'snapshot-7.memory', 'log-999999999999999.bin', 'log-1.bin'],
]

beforeEach(async () => {
  await rm(outside, { recursive: true, force: true })
  await mkdir(join(outside, 'folder'), { recursive: true })
  for (const name of [...names, 'victim.txt', 'folder/victim.txt'])
    await writeFile(join(outside, name), `precious ${name}`)
})

async function expectUntouched(what: string): Promise<void> {
  expect((await readdir(outside)).sort(), what).toEqual([...names, 'folder', 'victim.txt'].sort())
  for (const name of [...names, 'victim.txt', 'folder/victim.txt']) {
    expect(await readFile(join(outside, name), 'utf8'), what).toBe(`precious ${name}`)
  }
}

/** Opens the store to read and to write, from the same files; what came out that is neither refused nor as it was. */
async function tryBoth(sample: StoreSample, prepare: () => Promise<void>): Promise<string[]> {
  const outcomes: string[] = []
  for (const readOnly of [true, false]) {
    await layOut(path, sample.files)
    await prepare()
    outcomes.push(await tryStore(path, readOnly))
  }
  return outcomes.filter(outcome => outcome !== 'refused' && outcome !== sample.history.at(-1))
}

describe('nothing outside a store is touched', () => {
  it('through links in the place of its files, or of files it is about to write', async () => {
    let tried = 0
    const failures: string[] = []
    for (const sample of samples) {
      for (const name of [...names, ...strange]) {
        for (const target of ['victim.txt', 'folder', 'missing', 'log-3.bin']) {
          const link = async () => {
            await rm(join(path, name), { force: true })
            await symlink(join(outside, target), join(path, name))
          }
          const wrong = await tryBoth(sample, link)
          failures.push(...wrong.map(outcome => `${sample.name} ${name} → ${target}: ${outcome}`))
          tried += 2
          await expectUntouched(`${sample.name} ${name} → ${target}`)
        }
      }
    }
    report({ name: 'stores with symbolic links to other folders', tried, failed: failures.length })
    expect(failures).toEqual([])
  }, 120_000)

  it('through a link to a whole file that stands elsewhere', async () => {
    const [sample] = samples as [StoreSample]
    for (const name of ['log-3.bin', 'snapshot-2.memory', 'store.json']) {
      const elsewhere = join(folder, 'elsewhere')
      await layOut(path, sample.files)
      await rename(join(path, name), elsewhere)
      const before = await readFile(elsewhere)
      await symlink(elsewhere, join(path, name))
      expect([await tryStore(path, true), await tryStore(path, false)]).toEqual(['refused', 'refused'])
      expect(await readFile(elsewhere)).toEqual(before)
    }
  })

  it('through folders and pipes in the place of its files', async () => {
    const failures: string[] = []
    let tried = 0
    for (const name of [...names, ...strange]) {
      for (const make of [
        () => mkdir(join(path, name, 'in'), { recursive: true }),
        async () => makePipe(join(path, name)),
      ]) {
        const prepare = async () => {
          await rm(join(path, name), { force: true })
          await make()
        }
        failures.push(...(await tryBoth(samples[1] as StoreSample, prepare)).map(outcome => `${name}: ${outcome}`))
        tried += 2
      }
    }
    report({ name: 'stores with folders and pipes in place of files', tried, failed: failures.length })
    expect(failures).toEqual([])
  }, 60_000)

  it('by the claim of a writer that names another file', async () => {
    const sockets = [
      '../outside/victim.txt',
      join(outside, 'victim.txt'),
      'store.json',
      '',
      '.',
      '..',
      `writer-${uuid}.sock/..`,
      5,
      null,
    ]
    const claims = [
      ...sockets.map(socket => JSON.stringify({ socket, pid: 1 })),
      'not json',
      'null',
      '[]',
      '{}',
      '',
      '\0'.repeat(50),
    ]
    const known = `writer-${uuid}.sock`
    claims.push(...['"x"', -1.5, null].map(pid => JSON.stringify({ socket: known, pid })), '{"'.repeat(5000))
    for (const sample of samples) {
      for (const claim of claims) {
        await layOut(path, new Map([...sample.files, ['writer-1.json', Buffer.from(claim)]]))
        expect(await tryStore(path, false), claim).toBe('refused')
        await expectUntouched(claim)
        expect(await readdir(path)).toEqual(expect.arrayContaining(['store.json', 'log-3.bin']))
      }
    }
    report({ name: 'stores with hostile writer claims', tried: samples.length * claims.length, failed: 0 })
  })
})

describe('a store is refused, or as it was,', () => {
  it('with states and seals that say anything, well sealed', async () => {
    const numbers = [-1, 0.5, 1, 3, 6, 2 ** 53, 1e300, null, '2', '../outside/victim', [2], {}]
    const { link } = JSON.parse(String(samples[0]?.files.get('store.json'))) as { link: string }
    const states = numbers.flatMap(from => [
      { format: 4, kind: 'memory', from, link },
      { format: 4, kind: 'memory', from: 2, link, noted: [from, from] },
      { format: from, kind: 'memory', from: 2, link },
      { format: 4, kind: from, from: 2, link },
      { format: 4, kind: 'memory', from: 2, link: from },
    ])
    const ends = numbers.flatMap(n => [
      ...[
        { format: 2, segment: n, at: 1536, next: 3, link },
        { format: 2, segment: 3, at: n, next: 3, link },
      ],
      ...[
        { format: 2, segment: 3, at: 1536, next: n, link: n },
        { format: n, segment: 3, at: 1536, next: 3, link },
      ],
    ])
    const failures: string[] = []
    const attempts = [
      ...states.map(state => ['store.json', state] as const),
      ...ends.map(end => ['log.closed', end] as const),
    ]
    for (const [file, value] of attempts) {
      const text = sealJson(file, value)
      const wrong = await tryBoth(samples[0] as StoreSample, () => writeFile(join(path, file), text))
      failures.push(...wrong.map(outcome => `${text}: ${outcome}`))
    }
    report({ name: 'stores with hostile states and seals', tried: 2 * attempts.length, failed: failures.length })
    expect(failures).toEqual([])
  }, 60_000)

  it('with operations that say anything, well sealed', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const insert = { do: 'insert', explorations: 0, key: 'ships', value: 1 }
    const operations = [
      ...[
        '',
        'null',
        '[]',
        '5',
        '{',
        '{"do":"insert"}',
        '{"do":"dance"}',
        '{"do":"__proto__"}',
        '{"do":"remove"}',
        deep,
      ],
      `{"do":"insert","explorations":0,"key":"ships","value":${deep}}`,
      `{"do":"insert","explorations":0,"key":${deep},"value":1}`,
      ...[null, -1, 1.5, '0', 2 ** 60, {}].map(explorations => JSON.stringify({ ...insert, explorations })),
      ...[null, 5, [], {}, { dense: 5 }, { dense: 'AAA=' }, { dense: '' }, { indices: 'AAAA', values: '' }, ''].map(
        key => JSON.stringify({ ...insert, key }),
      ),
      ...[null, {}, [], -1, 0, 'm', 1.5, true].map(id => JSON.stringify({ ...insert, id })),
      ...[2, -1, null, 'x', [0.5]].map(reward => JSON.stringify({ ...insert, do: 'update', id: 'm', reward })),
      ...[null, 5, [2], ['x'], new Array(1e5).fill(1)].map(rewards =>
        JSON.stringify({ ...insert, do: 'learn', rewards }),
      ),
      ...[{}, null, { tree: -1, node: 0, side: 'left' }, { tree: 1e9, node: 0, side: 'x' }].map(explored =>
        JSON.stringify({ ...insert, do: 'update', id: 'm', reward: 1, explored }),
      ),
    ]
    const failures: string[] = []
    for (const operation of operations) {
      await layOut(path, (samples[0] as StoreSample).files)
      const log = await Log.open(path)
      await log.append(Buffer.from(operation))
      await log.close()
      // Some of them are operations that a memory takes.
      const outcome = await tryStore(path, true)
      if (outcome.startsWith('threw') || outcome.startsWith('faults')) failures.push(`${operation}: ${outcome}`)
    }
    report({ name: 'stores with hostile operations', tried: operations.length, failed: failures.length })
    expect(failures).toEqual([])
  }, 60_000)
})

function makePipe(path: string): void {
  execFileSync('mkfifo', [path])
}
