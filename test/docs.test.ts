// The documentation is true: its tables are those of the measured results, its examples run and print what it shows.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a plain script without types
import { fillTables, readDocuments } from '../tools/doc-tables.mjs'
// @ts-expect-error: a plain script without types
import { markBest } from '../tools/tables/label-tables.mjs'
// @ts-expect-error: a plain script without types
import { measuredOn } from '../tools/tables/table-parts.mjs'

const root = join(import.meta.dirname, '..')
const documents: { name: string; text: string }[] = readDocuments()
const everyPage = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'data/README.md']
  .map(name => ({ name, text: readFileSync(join(root, name), 'utf8') }))
  .concat(documents)

describe('marks of tables', () => {
  const filled = (between: string) => `before\n<!-- table: kernels -->\n${between}<!-- end -->\nafter`

  it('are filled, with a table in them or none, and leave alone what follows', () => {
    const once = fillTables(filled(''))
    expect(once).toMatch(/^before\n<!-- table: kernels -->\n\| kernel [\s\S]*\n<!-- end -->\nafter$/)
    expect(fillTables(once)).toBe(once)
    expect(fillTables(filled('an old table\n'))).toBe(once)
    const [empty, full] = [filled(''), filled('an old table\n')]
    expect(fillTables(`${empty}\n${full}`)).toBe(`${once}\n${once}`)
  })

  it('without an end of their own are refused, whatever ends later', () => {
    expect(() => fillTables(`<!-- table: kernels -->\ntext\n${filled('')}`)).toThrow(
      '1 table marks have no <!-- end -->',
    )
    expect(() => fillTables(filled('').replace('kernels', 'nothing'))).toThrow('no table is called nothing')
  })
})

describe('tables', () => {
  it('mark the best of a row, and say so if it is shared', () => {
    expect(markBest('accuracy', [0.2501, 0.25, undefined, 0.2])).toEqual(['**0.250** =', '**0.250** =', '', '0.200'])
    expect(markBest('hammingLoss', [0.081, 0.072, 0.0719])).toEqual(['0.081', '**0.072** =', '**0.072** ='])
    expect(markBest('hammingLoss', [0.081, 0.072])).toEqual(['0.081', '**0.072**'])
  })

  it('tell the load of the machine if it had other work', () => {
    const on = (machine: object) => ({ machine: { cores: 2, cpu: 'X', node: 'v20', date: '2026-01-02', ...machine } })
    const quiet = 'Measured on 2 cores of X, Node v20, 2026-01-02.'
    expect(measuredOn(on({ load: 0.7 }))).toBe(quiet)
    expect(measuredOn(on({ loadBefore: 0.2, load: 2 }))).toBe(quiet)
    expect(measuredOn(on({ loadBefore: 3.14, load: 5 }))).toBe(`${quiet} Load average before the run: 3.1.`)
    const twice = measuredOn(on({ load: 1.2 }), on({ load: 2.5 }))
    expect(twice).toBe(`${quiet} Load average at the end: 1.2 to 2.5, including the run itself.`)
  })
})

describe('kept results', () => {
  const folder = join(root, 'bench', 'results')
  const kept = readdirSync(folder).filter(name => name.endsWith('.json'))
  const machineOf = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')).machine

  it('say where, when and under which load they were measured', () => {
    for (const name of kept) {
      const { cpu, cores, load, node, date } = machineOf(name)
      expect([name, typeof cpu, typeof cores, typeof load, typeof node]).toEqual([name, 'string', 'number', 'number', 'string']) // biome-ignore format: one line
      expect(date, name).toMatch(/^\d{4}-\d\d-\d\d$/)
    }
  })

  it('name the commit and the load before, since both are recorded', () => {
    const recent = kept.filter(name => machineOf(name).date > '2026-11-18')
    for (const name of recent) {
      expect(machineOf(name), name).toMatchObject({ commit: expect.any(String), loadBefore: expect.any(Number) })
    }
  })
})

describe('the documentation', () => {
  it.each(documents)('$name has the tables of the kept results (npm run docs:tables makes them)', ({ text }) => {
    expect(fillTables(text)).toBe(text)
  })

  it.each(everyPage)('$name links to files that exist', ({ name, text }) => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(match => match[1] as string)
    expect(links.filter(link => !existsSync(join(root, dirname(name), link)))).toEqual([])
  })

  it.each(everyPage)('$name links to headings that exist', ({ name, text }) => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*\.md)?#([^)]+)\)/g)]
    const missing = links.filter(([, page, anchor]) => {
      const linked = page === undefined ? text : readFileSync(join(root, dirname(name), page), 'utf8')
      return !headingAnchors(linked).includes(anchor as string)
    })
    expect(missing.map(([link]) => link)).toEqual([])
  })
})

/** The anchors that GitHub gives the headings of a page. */
function headingAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(match =>
    (match[1] as string)
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replace(/ /g, '-'),
  )
}

const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
const sourceRoots = ['', 'packages/core', 'packages/core/src', 'packages/vicinal/src/command'].map(folder =>
  join(root, folder),
)
/** Files and folders that a text names: `label/lcif/fit.ts`, `bench/`. */
const namedFiles = (text: string) =>
  [...text.matchAll(/`([\w./-]+(?:\.m?ts|\.mjs|\/))`/g)].map(match => match[1] as string)
const walks = [...architecture.matchAll(/^### (\w+): .*\n\n((?:\d+\. .*\n)+)/gm)].map(match => ({
  name: match[1] as string,
  steps: (match[2] as string).trim().split('\n'),
}))

describe('the architecture', () => {
  it('names files and folders that exist', () => {
    const named = namedFiles(architecture)
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter(file => !sourceRoots.some(folder => existsSync(join(folder, file))))).toEqual([])
  })

  it('and the guide for contributors do so too', () => {
    const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
    const roots = [...sourceRoots, join(root, 'packages/core/src/nets/metrics')]
    const named = namedFiles(guide).filter(file => !/(^|\/)x(-|\.|\/)/.test(file))
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter(file => !roots.some(folder => existsSync(join(folder, file))))).toEqual([])
  })

  it('walks through learning, labeling, searching and remembering', () => {
    expect(walks.map(({ name }) => name)).toEqual(['Learn', 'Label', 'Search', 'Remember'])
  })

  it.each(walks)('$name begins each step with a file, and passes none twice', ({ steps }) => {
    expect(steps.filter(step => !/^\d+\. `[\w./-]+\.ts` /.test(step))).toEqual([])
    const files = steps.flatMap(namedFiles)
    expect(files.filter((file, i) => files.indexOf(file) < i)).toEqual([])
  })
})

const packagePages = ['core', 'server', 'web', 'vicinal', 'langchain'].map(name => {
  const page = `packages/${name}/README.md`
  return { name: page, text: readFileSync(join(root, page), 'utf8') }
})

/** Code of a document quoted from a file, followed by what it prints: ```ts examples/x.ts … ``` and ```text … ```. */
const quoted = [...documents, ...packagePages].flatMap(({ name, text }) =>
  [...text.matchAll(/```ts (examples\/\S+)\n([\s\S]*?)```\n+```text\n([\s\S]*?)```/g)].map(match => ({
    name,
    file: match[1] as string,
    code: match[2] as string,
    output: match[3] as string,
  })),
)

describe('the examples', () => {
  it('are quoted', () => {
    expect(quoted.length).toBeGreaterThan(0)
  })

  it.each(quoted)('$file is what $name shows, and prints what it says', ({ file, code, output }) => {
    expect(readFileSync(join(root, file), 'utf8')).toBe(code)
    const run = spawnSync(process.execPath, ['tools/run.mjs', file], { cwd: root, encoding: 'utf8' })
    expect(run.stderr).toBe('')
    expect(run.stdout).toBe(output)
  })
})
