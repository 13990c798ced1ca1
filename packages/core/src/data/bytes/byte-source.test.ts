import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeInput, openInput, peek, readAll, type Source } from './byte-source.ts'
import { gunzipInBrowser } from './gunzip.ts'

const bytesOf = (content: string): Uint8Array => new TextEncoder().encode(content)
const contentOf = async (source: Source): Promise<string> =>
  new TextDecoder().decode(await readAll(await openInput(source)))

async function* chunksOf(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

describe('openInput', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'byte-source-'))
    writeFileSync(join(folder, 'a.txt'), 'hello')
    writeFileSync(join(folder, 'a.txt.gz'), gzipSync('hello'))
    mkdirSync(join(folder, 'inside'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('fails in words of ours if the signal fires after the opening and before the reading', async () => {
    const path = join(folder, 'signal.txt')
    writeFileSync(path, 'some bytes')
    const stop = new AbortController()
    const input = await openInput(path, { signal: stop.signal })
    stop.abort()
    // Once, a stream that nobody listened to ended the process.
    await expect(readAll(input)).rejects.toMatchObject({ code: 'ABORTED' })
    await new Promise(setImmediate)
  })

  it('tells how much of a file is read, gzipped or not', async () => {
    const bytes = new Uint8Array(3_000_000).map((_, i) => i * i)
    for (const stored of [bytes, gzipSync(bytes)]) {
      const path = join(folder, 'way.bin')
      writeFileSync(path, stored)
      const input = await openInput(path)
      expect(input.way?.()).toEqual({ done: 0, total: stored.length })
      await readAll(input)
      expect(input.way?.()).toEqual({ done: stored.length, total: stored.length })
    }
  })

  it('reads the same from a path, a file URL, bytes, a blob, a stream and an iterable', async () => {
    const path = join(folder, 'a.txt')
    const bytes = bytesOf('hello')
    const blob = new Blob(['hello'])
    const sources = [path, pathToFileURL(path), bytes, blob, blob.stream(), chunksOf(bytes.slice(0, 2), bytes.slice(2))]
    for (const source of sources) expect(await contentOf(source)).toBe('hello')
  })

  it('gunzips by magic bytes, whatever the name and wherever the chunks are cut', async () => {
    const zipped = gzipSync('hello')
    expect(await contentOf(join(folder, 'a.txt.gz'))).toBe('hello')
    expect(await contentOf(chunksOf(...Array.from(zipped, byte => Uint8Array.of(byte))))).toBe('hello')
  })

  it('reads gzip members one after the other', async () => {
    expect(await contentOf(Buffer.concat([gzipSync('hel'), gzipSync('lo')]))).toBe('hello')
  })

  it('says that a gzip file is truncated', async () => {
    const zipped = gzipSync('hello '.repeat(1000))
    const input = await openInput(zipped.subarray(0, zipped.length - 12), { name: 'cut.gz' })
    await expect(readAll(input)).rejects.toMatchObject({
      code: 'BAD_DATA',
      where: { file: 'cut.gz' },
      message: expect.stringContaining('truncated'),
    })
  })

  it('says that a gzip file is corrupt', async () => {
    const zipped = gzipSync('hello '.repeat(1000))
    zipped[zipped.length - 6] ^= 0xff
    const input = await openInput(zipped, { name: 'bad.gz' })
    await expect(readAll(input)).rejects.toMatchObject({
      code: 'BAD_DATA',
      message: expect.stringContaining('bad.gz: the gzip file does not decompress'),
    })
  })

  it('fails at once for a file that is not there', async () => {
    await expect(openInput(join(folder, 'none.txt'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    await expect(openInput(join(folder, 'a.txt', 'none'))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
  })

  it('refuses a directory', async () => {
    const opened = openInput(join(folder, 'inside'))
    await expect(opened).rejects.toMatchObject({ code: 'FILE_ACCESS', message: expect.stringContaining('directory') })
  })

  it('finds files beside a file, and nothing beside bytes', async () => {
    const input = await openInput(join(folder, 'a.txt'))
    const beside = await input.sibling('a.txt.gz')
    expect(new TextDecoder().decode(beside && (await readAll(beside)))).toBe('hello')
    expect(await input.sibling('none.xml')).toBeUndefined()
    expect(await (await openInput(bytesOf('x'))).sibling('a.txt')).toBeUndefined()
  })

  it('tells the path only where one can seek in it: not of a gzip file', async () => {
    expect((await openInput(join(folder, 'a.txt'))).path).toBe(join(folder, 'a.txt'))
    expect((await openInput(join(folder, 'a.txt.gz'))).path).toBeUndefined()
  })

  it('hears the signal while a stream is silent', async () => {
    async function* silent(): AsyncGenerator<Uint8Array> {
      yield bytesOf('a')
      await new Promise(() => {}) // never another byte
    }
    const web = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) })
    for (const source of [silent(), web]) {
      const stop = new AbortController()
      const input = await openInput(source, { signal: stop.signal })
      setTimeout(() => stop.abort(), 10)
      await expect(readAll(input)).rejects.toMatchObject({ code: 'ABORTED' })
    }
  })

  it('hears the signal while nobody writes into a pipe', async () => {
    const pipe = join(folder, 'silent.fifo')
    execFileSync('mkfifo', [pipe])
    const stop = new AbortController()
    const input = await openInput(pipe, { signal: stop.signal })
    setTimeout(() => stop.abort(), 10)
    await expect(readAll(input)).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('reads a pipe to its end, whoever comes first', async () => {
    const pipe = join(folder, 'spoken.fifo')
    execFileSync('mkfifo', [pipe])
    const reading = readAll(await openInput(pipe))
    const writing = spawn('sh', ['-c', `printf abc > ${pipe}`])
    expect(new TextDecoder().decode(await reading)).toBe('abc')
    writing.unref()
  })

  it('stops at the signal', async () => {
    const stop = new AbortController()
    const input = await openInput(chunksOf(bytesOf('a'), bytesOf('b')), { signal: stop.signal })
    const chunks = input.chunks[Symbol.asyncIterator]()
    await chunks.next()
    stop.abort()
    await expect(chunks.next()).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('passes on what a failing stream says', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield gzipSync('hello').subarray(0, 10)
      throw new Error('the cable was cut')
    }
    const reading = contentOf(failing())
    await expect(reading).rejects.toMatchObject({
      code: 'FILE_ACCESS',
      message: expect.stringContaining('the cable was cut'),
    })
  })

  it('refuses a stream of strings', async () => {
    async function* strings(): AsyncGenerator<string> {
      yield 'hello'
    }
    const opened = await openInput(strings() as unknown as AsyncIterable<Uint8Array>) // what untyped callers do
    await expect(readAll(opened)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})

describe('openInput of a URL', () => {
  const server = createServer((request, response) => {
    const status = request.url === '/a.txt' ? 200 : request.url === '/broken' ? 500 : 404
    response.writeHead(status).end(status === 200 ? gzipSync('hello') : 'sorry')
  })
  let origin: string
  beforeAll(async () => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port, not on a pipe
  })
  afterAll(() => void server.close())

  it('reads it, and finds files beside it', async () => {
    expect(await contentOf(`${origin}/a.txt`)).toBe('hello')
    const input = await openInput(new URL(`${origin}/a.txt`))
    expect((await input.sibling('a.txt'))?.name).toBe(`${origin}/a.txt`)
    expect(await input.sibling('none.xml')).toBeUndefined()
    await closeInput(input)
  })

  it('says what the server said', async () => {
    await expect(openInput(`${origin}/none`)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' })
    await expect(openInput(`${origin}/broken`)).rejects.toMatchObject({ code: 'FILE_ACCESS' })
    await expect(openInput('http://')).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})

describe('peek', () => {
  it('shows the first bytes and loses none', async () => {
    const { head, input } = await peek(await openInput(chunksOf(bytesOf('he'), bytesOf('llo'))), 3)
    expect(new TextDecoder().decode(head)).toBe('hel')
    expect(await readAll(input)).toEqual(bytesOf('hello'))
  })

  it('shows fewer bytes if there are fewer', async () => {
    const { head, input } = await peek(await openInput(bytesOf('he')), 64)
    expect(head).toEqual(bytesOf('he'))
    expect(await readAll(input)).toEqual(bytesOf('he'))
  })

  it('lets go of the source when the input is closed unread', async () => {
    let closed = false
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        yield bytesOf('a')
        yield bytesOf('b')
      } finally {
        closed = true
      }
    }
    const { input } = await peek(await openInput(source()), 1)
    await closeInput(input)
    expect(closed).toBe(true)
  })
})

describe('gunzipInBrowser', () => {
  const unzip = async (zipped: Uint8Array): Promise<string> => {
    const parts: Uint8Array[] = []
    for await (const part of gunzipInBrowser(chunksOf(zipped.subarray(0, 5), zipped.subarray(5)))) parts.push(part)
    return Buffer.concat(parts).toString()
  }

  it('gunzips', async () => {
    expect(await unzip(gzipSync('hello'))).toBe('hello')
  })

  it('fails on truncated data', async () => {
    await expect(unzip(gzipSync('hello').subarray(0, 15))).rejects.toThrow()
  })
})

describe('compressed data that gets too large', () => {
  const bomb = gzipSync(new Uint8Array(2 ** 28 + 2 ** 20), { level: 9 })
  const read = async (source: Uint8Array | string, maxUnpackedBytes?: number): Promise<number> =>
    (await readAll(await openInput(source, { name: 'bomb.gz', maxUnpackedBytes }))).length

  it('is refused by default when it grows to more than 256 MiB and a hundred times its size', async () => {
    await expect(read(bomb)).rejects.toMatchObject({
      code: 'BAD_DATA',
      message: `bomb.gz: ${bomb.length} compressed bytes unpack to more than 268435456`,
      hint: expect.stringContaining('`maxUnpackedBytes`'),
    })
  })

  it('is refused beyond the limit that was set, and read up to it', async () => {
    const small = gzipSync('x'.repeat(1000))
    await expect(read(small, 999)).rejects.toThrow('unpack to more than 999')
    expect(await read(small, 1000)).toBe(1000)
    expect(await read(bomb, 2 ** 29)).toBe(2 ** 28 + 2 ** 20)
    await expect(read(small, 0)).rejects.toThrow('maxUnpackedBytes is 0, expected a whole number from 1')
  })
})
