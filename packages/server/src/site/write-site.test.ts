import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExactIndex, LcifClassifier } from '@vicinal/core'
import { MemoryTree } from '@vicinal/core/memory'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MemoryStore } from '../store/memory-store.ts'
import { writeSite } from './write-site.ts'

let folder: string
let page: string
let model: string
let out: string
let number = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-site-'))
  page = join(folder, 'page')
  model = join(folder, 'books.model')
  await mkdir(join(page, 'assets'), { recursive: true })
  await writeFile(
    join(page, 'index.html'),
    '<!doctype html><html><head><meta charset="utf-8"><title>x</title></head></html>',
  )
  await writeFile(join(page, 'assets/index-1.js'), 'export {}')
  const classifier = await LcifClassifier.fit([{ text: 'old ships', labels: ['ships'] }])
  await classifier.save(model)
  classifier.free()
})
beforeEach(() => {
  out = join(folder, `out${number++}`)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function siteOf(path: string): Promise<{ files: { name: string; url: string; bytes: number }[] }> {
  const html = await readFile(join(path, 'index.html'), 'utf8')
  return JSON.parse(/id="vicinal-site">(.*)<\/script>/.exec(html)?.[1] ?? '')
}

describe('writeSite', () => {
  it('writes the page, the files that it loads, and a policy', async () => {
    const { files, bytes } = await writeSite(out, [model], { page, version: '1.2.3' })
    expect(files).toMatchObject([{ kind: 'model', name: 'books' }])
    expect(await siteOf(out)).toEqual({ version: '1.2.3', files })
    const [{ url = '' } = {}] = files
    expect(url).toMatch(/^files\/books-[0-9a-f]{10}\.model$/)
    expect(await readFile(join(out, url))).toEqual(await readFile(model))
    expect(bytes).toBeGreaterThan((await readFile(model)).length)
    const html = await readFile(join(out, 'index.html'), 'utf8')
    expect(html).toMatch(/charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; /)
    expect(html).not.toContain('frame-ancestors') // not allowed there
    expect((await readdir(out, { recursive: true })).sort()).toEqual(
      ['assets', 'assets/index-1.js', 'files', url, 'index.html', 'vicinal-site.json'].sort(),
    )
  })

  it('shows files under other names, and refuses the same name twice', async () => {
    const { files } = await writeSite(out, [model, `tags=${model}`], { page })
    expect(files.map(({ name }) => name)).toEqual(['books', 'tags'])
    await expect(writeSite(join(folder, 'twice'), [model, model], { page })).rejects.toThrow('two files would be shown')
  })

  it('replaces a site of its own, and leaves what others put there', async () => {
    await writeSite(out, [`one=${model}`], { page })
    await writeFile(join(out, 'CNAME'), 'books.example')
    await writeSite(out, [`two=${model}`], { page })
    expect(await readFile(join(out, 'CNAME'), 'utf8')).toBe('books.example')
    const names = await readdir(join(out, 'files'))
    expect(names).toHaveLength(1)
    expect(names[0]).toMatch(/^two-/)
  })

  it('says where it cannot write, and is no bug then', async () => {
    await writeSite(out, [model], { page })
    await rm(join(out, 'assets'), { recursive: true })
    await writeFile(join(out, 'assets'), 'in the way')
    const failure = { code: 'FILE_ACCESS', where: { file: out } }
    await expect(writeSite(out, [model], { page })).rejects.toMatchObject(failure)
  })

  it('refuses a folder that is not its own, and changes nothing in it', async () => {
    await mkdir(out)
    await writeFile(join(out, 'thesis.txt'), 'mine')
    await expect(writeSite(out, [model], { page })).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    expect(await readdir(out)).toEqual(['thesis.txt'])
    const file = join(folder, 'file.txt')
    await writeFile(file, 'mine')
    await expect(writeSite(file, [model], { page })).rejects.toMatchObject({ code: 'FILE_ACCESS' })
  })

  it('removes nothing outside the folder, whatever its list says', async () => {
    await writeSite(out, [model], { page })
    const outside = join(folder, 'outside.txt')
    await writeFile(outside, 'mine')
    const list = { vicinal: 'site', files: ['../outside.txt', outside, 'assets/../../outside.txt'] }
    await writeFile(join(out, 'vicinal-site.json'), JSON.stringify(list))
    await writeSite(out, [model], { page })
    expect(await readFile(outside, 'utf8')).toBe('mine')
  })

  it('writes nothing if a file is missing, no model, or a memory', async () => {
    const tree = MemoryTree.create()
    const memory = join(folder, 'notes.memory')
    await tree.save(memory)
    const store = join(folder, 'notes')
    await (await MemoryStore.create(store)).close()
    const text = join(folder, 'text.model')
    await writeFile(text, 'not a model')
    for (const [path, code] of [
      [join(folder, 'none.model'), 'FILE_NOT_FOUND'],
      [memory, 'UNSUPPORTED'],
      [store, 'UNSUPPORTED'],
      [text, 'UNKNOWN_FORMAT'],
    ] as const) {
      await expect(writeSite(out, [path], { page })).rejects.toMatchObject({ code })
    }
    await expect(readdir(out)).rejects.toThrow()
    await expect(writeSite(out, [model], { page: join(folder, 'files') })).rejects.toThrow('there is no page')
  })

  it('writes what was measured of a model as a file of its own, and names it', async () => {
    const test = join(folder, 'test.jsonl')
    await writeFile(test, '{"text":"ships","labels":["ships"]}\n')
    const { files } = await writeSite(out, [model, `tags=${model}`], { page, tests: [`tags=${test}`] })
    expect(files.map(({ quality }) => quality)).toEqual([
      undefined,
      expect.stringMatching(/^files\/tags-quality-.*json$/),
    ])
    const quality = JSON.parse(await readFile(join(out, files[1]?.quality ?? ''), 'utf8'))
    expect(quality).toMatchObject({ n: 1, source: 'test.jsonl', metrics: { 'p@1': 1 }, perLabel: [{ label: 'ships' }] })
    await writeSite(out, [model], { page })
    expect(await readdir(join(out, 'files'))).toHaveLength(1) // and replaces it with the rest
  })

  it('writes nothing if a test is for no model, cannot be read, or is stopped', async () => {
    await expect(writeSite(out, [model], { page, tests: ['other=x.tsv'] })).rejects.toThrow('names a model')
    await expect(writeSite(out, [model], { page, tests: [join(folder, 'none.tsv')] })).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
    })
    await expect(writeSite(out, [model], { page, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    })
    await expect(readdir(out)).rejects.toThrow()
  })

  it('takes indexes too', async () => {
    const path = join(folder, 'shapes.index')
    const index = await ExactIndex.fit([[1, 2]])
    await index.save(path)
    index.free()
    expect((await writeSite(out, [path], { page })).files).toMatchObject([{ kind: 'index', name: 'shapes' }])
  })
})
