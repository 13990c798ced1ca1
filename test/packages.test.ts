// What is published is described: every package has what registries and readers look for, and the scripts run on every system.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (...parts: string[]): string => readFileSync(join(root, ...parts), 'utf8')
const names = readdirSync(join(root, 'packages')).sort()
const site = 'https://github.com/vicinal/vicinal'

describe.each(names)('packages/%s', name => {
  const manifest = JSON.parse(read('packages', name, 'package.json'))

  it('says what it is, where it comes from and what it needs', () => {
    expect(manifest.description).toMatch(/\w/)
    expect(manifest.keywords.length).toBeGreaterThan(4)
    expect(manifest).toMatchObject({
      license: 'MIT',
      homepage: `${site}/tree/main/packages/${name}#readme`,
      bugs: `${site}/issues`,
      repository: { type: 'git', url: `git+${site}.git`, directory: `packages/${name}` },
      engines: JSON.parse(read('package.json')).engines,
      publishConfig: { access: 'public' },
    })
  })

  it('carries the license of the project', () => {
    expect(read('packages', name, 'LICENSE')).toBe(read('LICENSE'))
  })

  it('has a README that stands alone: links are addresses, and an example runs', () => {
    const text = read('packages', name, 'README.md')
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(match => match[1] as string)
    expect(links.filter(link => !link.startsWith('https://'))).toEqual([])
    expect(text).toMatch(/```ts examples\/\S+\n[\s\S]+?```\n+```text\n/)
    expect(text).toContain(`npm install ${manifest.name}`)
  })

  it('installs without scripts', () => {
    expect(Object.keys(manifest.scripts ?? {})).toEqual([])
  })
})

describe('what bundlers take for pages', () => {
  const { browser } = JSON.parse(read('packages', 'core', 'package.json')) as { browser: Record<string, string> }

  it.each(Object.entries(browser))('stands in for %s: it has all that is imported from there', async (file, other) => {
    const load = (path: string) => import(join(root, 'packages', 'core', path))
    expect(Object.keys(await load(other))).toEqual(expect.arrayContaining(Object.keys(await load(file))))
  })
})

describe('the scripts of the workspace', () => {
  const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts

  it('set no variables as only Unix shells do', () => {
    expect(Object.values(scripts).filter(script => /(^|&& )[A-Z_]+=/.test(script))).toEqual([])
  })

  it('start every benchmark', () => {
    const isBenchmark = (file: string) => file.endsWith('.ts') && read('bench', file).includes("from './measure.ts'")
    const benchmarks = readdirSync(join(root, 'bench')).filter(isBenchmark)
    expect(benchmarks.length).toBeGreaterThan(5)
    for (const file of benchmarks)
      expect(scripts[`bench:${file.slice(0, -3)}`]).toBe(`node tools/run.mjs bench/${file}`)
  })
})
