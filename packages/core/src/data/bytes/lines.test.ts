import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openInput } from './byte-source.ts'
import { type LineOptions, readLines, text } from './lines.ts'

const bytesOf = (content: string): Uint8Array => new TextEncoder().encode(content)

async function* chunksOf(...contents: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const content of contents) yield typeof content === 'string' ? bytesOf(content) : content
}

/** The lines as [number, text]. */
async function linesOf(chunks: AsyncIterable<Uint8Array>, options: LineOptions = {}): Promise<[number, string][]> {
  const lines: [number, string][] = []
  for await (const block of readLines(await openInput(chunks, { name: 'a.txt' }), options)) {
    while (block.next()) lines.push([block.line, block.text()])
  }
  return lines
}

const textsOf = async (...contents: (string | Uint8Array)[]): Promise<string[]> =>
  (await linesOf(chunksOf(...contents))).map(([, line]) => line)

describe('readLines', () => {
  it('numbers lines from 1 and takes a last line without line break', async () => {
    expect(await linesOf(chunksOf('one\n\nthree'))).toEqual([
      [1, 'one'],
      [2, ''],
      [3, 'three'],
    ])
  })

  it('ends lines at LF or CRLF, also where a chunk ends between the two', async () => {
    expect(await textsOf('a\r\nb\r', '\nc\rd\n')).toEqual(['a', 'b', 'c\rd'])
  })

  it('drops a byte order mark, also where it comes in pieces', async () => {
    expect(await textsOf(Uint8Array.of(0xef), Uint8Array.of(0xbb, 0xbf), 'a\nb')).toEqual(['a', 'b'])
    expect(await textsOf(Uint8Array.of(0xef, 0xbb, 0xbf))).toEqual([])
  })

  it('finds no line in no bytes, and one in a lone line break', async () => {
    expect(await textsOf()).toEqual([])
    expect(await textsOf('', '')).toEqual([])
    expect(await textsOf('\n')).toEqual([''])
  })

  it('refuses UTF-16, and says how to convert it', async () => {
    const opened = textsOf(Uint8Array.of(0xff, 0xfe, 97, 0))
    await expect(opened).rejects.toMatchObject({ code: 'BAD_DATA', hint: expect.stringContaining('iconv') })
  })

  it('gives the same lines wherever the chunks are cut', async () => {
    const content = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r', '\r\n', '\ufeff'), maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(content, fc.array(fc.nat(60), { maxLength: 6 }), async (contents, cuts) => {
        const bytes = bytesOf(contents)
        const at = [0, ...cuts.map(cut => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
        const pieces = at.slice(1).map((end, i) => bytes.subarray(at[i], end))
        const expected = contents.replace(/^\ufeff/, '').split('\n')
        if (expected.at(-1) === '') expected.pop()
        expect(await textsOf(...pieces)).toEqual(expected.map(line => line.replace(/\r$/, '')))
      }),
    )
  })

  it('keeps counting if a reader leaves a block early', async () => {
    const numbers: number[] = []
    for await (const block of readLines(await openInput(chunksOf('a\nb\nc\n', 'd\n')))) {
      block.next()
      numbers.push(block.line)
    }
    expect(numbers).toEqual([1, 4])
  })

  it('refuses a line of more than maxLineBytes, with its number', async () => {
    const expected = {
      code: 'BAD_DATA',
      where: { file: 'a.txt', line: 2 },
      hint: expect.stringContaining('maxLineBytes'),
    }
    await expect(linesOf(chunksOf('ok\ntoolong\n'), { maxLineBytes: 6 })).rejects.toMatchObject(expected)
    await expect(linesOf(chunksOf('ok\ntoo', 'long\n'), { maxLineBytes: 6 })).rejects.toMatchObject(expected)
    expect(await linesOf(chunksOf('ok\ntoo', 'long\n'), { maxLineBytes: 7 })).toHaveLength(2)
  })

  it('refuses a maxLineBytes that allows no line', async () => {
    await expect(linesOf(chunksOf('a'), { maxLineBytes: 0 })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  it('gives up on a line of 100 MB after the first 64 MiB', async () => {
    let sent = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      const chunk = new Uint8Array(2 ** 20).fill(97)
      for (; sent < 100; sent++) yield chunk
    }
    await expect(linesOf(endless())).rejects.toMatchObject({ code: 'BAD_DATA', where: { file: 'a.txt', line: 1 } })
    expect(sent).toBe(64)
  })

  it('reports the bytes read, and stops at the signal', async () => {
    const seen: unknown[] = []
    await linesOf(chunksOf('abc\n', 'de'), { onProgress: progress => seen.push(progress) })
    expect(seen.at(-1)).toEqual({ what: 'reading', done: 6, total: 6 })
    const stopped = linesOf(chunksOf('abc\n', 'de'), { signal: AbortSignal.abort() })
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' })
  })
})

describe('text', () => {
  it('refuses invalid UTF-8 with its place', () => {
    const where = { file: 'a.txt', line: 3, column: 2 }
    expect(() => text(Uint8Array.of(97, 0xff), 0, 2, where)).toThrow('a.txt:3:2: the text is not valid UTF-8')
    expect(text(bytesOf('xéy'), 1, 3, where)).toBe('é')
  })
})
