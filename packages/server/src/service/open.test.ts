import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ExactIndex, LcifClassifier } from '@vicinal/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTokens } from '../http/token-file.ts'
import { folderFailure } from '../log/log-error.ts'
import { namedPath } from './named-path.ts'
import { Service } from './service.ts'

describe('what a service is told to serve', () => {
  let folder: string
  const at = (name: string) => join(folder, name)
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vicinal-open-'))
    await (await LcifClassifier.fit([{ text: 'old ships', labels: ['ships'] }])).save(at('books.model'))
    await (await ExactIndex.fit([[1, 2]])).save(at('points.index'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is not called a store of another process if it is given twice', async () => {
    const twice = [at('books.model'), `${folder}/./books.model`]
    await expect(Service.open(twice)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringMatching(/^you gave .* twice$/),
    })
    const service = await Service.open([at('points.index'), `other=${at('points.index')}`])
    expect(service.served.map(({ name }) => name)).toEqual(['points', 'other'])
    await service.close()
  })

  it('gets a name that can be typed as it is, if its own cannot be one', () => {
    const refused = (path: string) =>
      expect(() => namedPath(path)).toThrow(expect.objectContaining({ hint: hints[path] }))
    const hints: Record<string, string> = {
      'my files/K\u00e4ufe & Titel.model': 'Name it: "K\u00e4ufe-Titel=my files/K\u00e4ufe & Titel.model"',
      '(1).model': 'Name it: "1=(1).model"',
      '$.model': 'Name it: "name=$.model"',
    }
    for (const path of Object.keys(hints)) refused(path)
    expect(namedPath('.').name).toMatch(/^\w/)
  })

  it('is a file in a folder, if the folder is no store', async () => {
    await mkdir(at('models'))
    const hint = expect.stringContaining('give the path of the file')
    await expect(Service.open([at('models')])).rejects.toMatchObject({ code: 'UNKNOWN_FORMAT', hint })
  })

  it('says in words that a folder may only be read', () => {
    const refused = Object.assign(new Error("EACCES: permission denied, mkdir 'a.1.tmp'"), { code: 'EACCES' })
    expect(folderFailure('a', refused)).toMatchObject({
      code: 'FILE_ACCESS',
      message: expect.not.stringContaining('tmp'),
    })
  })

  it('says what a token file is, if there is none', async () => {
    await expect(readTokens(at('tokens'))).rejects.toMatchObject({ hint: expect.stringContaining('write <token>') })
    await writeFile(at('tokens'), 'write 0123456789abcdef\n')
    expect(await readTokens(at('tokens'))).toHaveLength(1)
  })
})
