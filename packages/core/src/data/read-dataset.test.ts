import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readDataset } from './read-dataset.ts'
import { writeDataset } from './write-dataset.ts'

const bytesOf = (content: string): Uint8Array => new TextEncoder().encode(content)
const small = '2 3 3\n0,2 0:1\n1 2:0.5\n'

let folder: string
const at = (name: string): string => join(folder, name)
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-dataset-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(at(name), content)
  return at(name)
}

describe('readDataset', () => {
  it('finds out the format by contents where an extension is shared or says nothing', async () => {
    expect((await readDataset(file('a.txt', small))).labels?.columns).toBe(3)
    expect((await readDataset(file('b.txt', '5 1:1\n7 2:1\n'))).labelNames).toEqual(['5', '7'])
    expect((await readDataset(bytesOf('@relation x\n@attribute a real\n@data\n1\n'))).featureNames).toEqual(['a'])
    expect((await readDataset(file('c.what.gz', gzipSync(small)))).rows).toBe(2)
  })

  it('believes an extension that only one format has, and above all the option', async () => {
    await expect(readDataset(file('d.arff', small))).rejects.toThrow('not an ARFF line')
    await expect(readDataset(bytesOf(small), { format: 'svmlight' })).rejects.toThrow('(memory):1:3: found "3"')
  })

  it('refuses formats it does not know, by name and by contents', async () => {
    const unknown = { code: 'UNKNOWN_NAME', message: expect.stringMatching(/"xls", expected one of .*xmc/) }
    await expect(readDataset(bytesOf(small), { format: 'xls' })).rejects.toMatchObject(unknown)
    await expect(readDataset(Uint8Array.of(0, 1, 2, 3))).rejects.toMatchObject({ code: 'UNKNOWN_FORMAT' })
  })

  it('says that a file is empty', async () => {
    await expect(readDataset(file('empty.txt', ''))).rejects.toMatchObject({ code: 'EMPTY_DATA' })
    await expect(readDataset(bytesOf(''), { format: 'svmlight' })).rejects.toMatchObject({ code: 'EMPTY_DATA' })
  })

  it('says that a file has no rows, or none that is good', async () => {
    await expect(readDataset(bytesOf('0 3 3\n'))).rejects.toMatchObject({ code: 'EMPTY_DATA' })
    const reading = readDataset(bytesOf('1 3 3\n7 0:1\n'), { skipBadRows: true })
    await expect(reading).rejects.toMatchObject({ code: 'EMPTY_DATA', message: expect.stringContaining('label 7') })
  })

  it('says that a gzip file is truncated', async () => {
    const zipped = gzipSync(small.repeat(1000))
    const path = file('cut.txt.gz', zipped.subarray(0, zipped.length - 9))
    await expect(readDataset(path)).rejects.toMatchObject({
      code: 'BAD_DATA',
      message: expect.stringContaining('truncated'),
    })
  })

  it('stops at the signal', async () => {
    await expect(readDataset(bytesOf(small), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    })
  })
})

describe('label XML', () => {
  it('is for ARFF alone', async () => {
    const arff = bytesOf('@relation x\n@attribute a real\n@data\n1\n')
    await expect(readDataset(bytesOf(small), { labelXml: 'n.xml' })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    const xml = file('n.xml', '<labels><label name="a"/></labels>')
    expect((await readDataset(arff, { labelXml: xml })).labelNames).toEqual(['a'])
  })
})

describe('writeDataset', () => {
  it('writes the format of the extension, compressed for .gz', async () => {
    const dataset = await readDataset(bytesOf(small))
    await writeDataset(dataset, at('out.txt'))
    expect(readFileSync(at('out.txt'), 'utf8')).toBe(small)
    await writeDataset(dataset, at('out.xmc.gz'))
    expect(gunzipSync(readFileSync(at('out.xmc.gz'))).toString()).toBe(small)
    await writeDataset(dataset, at('out.data'), { format: 'svmlight' })
    expect(readFileSync(at('out.data'), 'utf8')).toBe('0,2 1:1\n1 3:0.5\n')
  })

  it('refuses to overwrite unless asked', async () => {
    const dataset = await readDataset(bytesOf(small))
    const path = file('there.txt', 'mine')
    await expect(writeDataset(dataset, path)).rejects.toMatchObject({ code: 'FILE_EXISTS' })
    expect(readFileSync(path, 'utf8')).toBe('mine')
    await writeDataset(dataset, path, { overwrite: true })
    expect(readFileSync(path, 'utf8')).toBe(small)
  })

  it.each(['stopped.txt', 'stopped.txt.gz'])('leaves nothing behind when it is stopped (%s)', async name => {
    const dataset = await readDataset(bytesOf(small))
    const before = readdirSync(folder)
    await expect(writeDataset(dataset, at(name), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    })
    expect(readdirSync(folder)).toEqual(before)
  })

  it('refuses formats it cannot write', async () => {
    const dataset = await readDataset(bytesOf(small))
    await expect(writeDataset(dataset, at('x.arff'))).rejects.toMatchObject({ code: 'UNSUPPORTED' })
    await expect(writeDataset(dataset, at('x.what'))).rejects.toMatchObject({ code: 'UNKNOWN_FORMAT' })
    expect(existsSync(at('x.arff'))).toBe(false)
  })
})
