import { describe, expect, it } from 'vitest'
import { readTextBatches, type TextBatch, type TextBatchOptions } from './text-batches.ts'

async function* chunks(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield new TextEncoder().encode(part)
}

async function read(parts: readonly string[], options: TextBatchOptions = {}): Promise<TextBatch[]> {
  return collect(readTextBatches(chunks(...parts), { name: 'pipe', ...options }))
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('readTextBatches', () => {
  it('passes lines on as they come, numbered over all batches', async () => {
    expect(await read(['one\ntwo\nth', 'ree\nfour'])).toEqual([
      { ids: [0, 1], texts: ['one', 'two'] },
      { ids: [2], texts: ['three'] },
      { ids: [3], texts: ['four'] },
    ])
  })

  it('takes an empty line for an empty text', async () => {
    expect(await read(['one\n\ntwo\n'])).toEqual([{ ids: [0, 1, 2], texts: ['one', '', 'two'] }])
  })

  it('takes the text and the id of JSON records, each record for itself', async () => {
    const lines = ['{"id":"a","text":"one"}\n{"title":"two"}\n', '{"id":7,"text":"three","labels":[]}\n\n\n']
    expect(await read(lines)).toEqual([
      { ids: ['a', 1], texts: ['one', 'two'] },
      { ids: ['7'], texts: ['three'] },
    ])
  })

  it('joins the fields that were named', async () => {
    const options = { textColumns: ['head', 'body'], idColumn: 'key' }
    expect(await read(['{"key":"k","head":"a","body":"b","text":"c"}\n'], options)).toEqual([
      { ids: ['k'], texts: ['a\nb'] },
    ])
  })

  it('makes nothing of nothing', async () => {
    expect(await read([])).toEqual([])
  })

  it.each([
    ['{"id":1}\n', 'UNKNOWN_NAME', 'pipe:1:1: cannot tell which field holds the text: "id"'],
    ['{"text":"a"}\nplain\n', 'BAD_DATA', 'pipe:2:1: the line is not JSON'],
    ['{"text":"a"}\n{"text":["b"]}\n', 'BAD_DATA', 'pipe:2:1: "text" is ["b"], expected a string'],
    ['{"text":"a"}\n\n{"text":"b"}\n', 'BAD_DATA', 'pipe:2:1: the line is empty'],
  ])('refuses %j', async (lines, code, message) => {
    await expect(read([lines])).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  })
})

it('keeps ids above 2⁵³ apart', async () => {
  const [batch] = await read(['{"id":9007199254740993,"text":"a"}\n{"id":9007199254740992,"text":"b"}\n'])
  expect(batch.ids).toEqual(['9007199254740993', '9007199254740992'])
})
