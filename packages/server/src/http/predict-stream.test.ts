import { describe, expect, it } from 'vitest'
import { createApp } from './app.ts'
import { TestService } from './service.cases.ts'

const served = new TestService()

type Body = string | ReadableStream<Uint8Array>

function send(body: Body, query = '', to = served.app): Response | Promise<Response> {
  const init = { method: 'POST', headers: { host: 'localhost' }, body, duplex: 'half' } as RequestInit
  return to.request(`/v1/models/tagger/predict-stream${query}`, init)
}

async function linesOf(response: Response | Promise<Response>) {
  return (await (await response).text())
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

async function detailOf(response: Response | Promise<Response>): Promise<string> {
  const { status, detail } = (await (await response).json()) as { status: number; detail: string }
  return `${status} ${detail}`
}

const jsonl = (items: readonly object[]) => items.map(item => JSON.stringify(item)).join('\n')
const bytes = (text: string) => new TextEncoder().encode(text)

describe('a stream of items', () => {
  it('is answered in the order of the items', async () => {
    const items = Array.from({ length: 150 }, (_, i) => ({ text: i % 2 ? 'Little birds' : 'Old ships' }))
    const answers = await linesOf(send(jsonl(items), '?top=1'))
    expect(answers.map(({ labels }) => labels.map(({ label }: { label: string }) => label))).toEqual(
      items.map((_, i) => [i % 2 ? 'birds' : 'ships']),
    )
  })

  it('may have an error: as its status, or after the first answers as its last line', async () => {
    const good = Array.from({ length: 64 }, () => ({ text: 'ships' }))
    expect((await send(jsonl([{ text: 7 }]))).status).toBe(400)
    const late = await send(jsonl([...good, { text: 7 }]))
    const lines = await linesOf(late)
    expect([late.status, lines.length]).toEqual([200, 65])
    expect(lines[64].error).toMatchObject({ status: 400, detail: expect.stringMatching(/^line 65: text is 7/) })
  })

  it('says which line is wrong', async () => {
    expect(await detailOf(send('{"text":"ships"}\n\n{"txt":"birds"}'))).toMatch(/^400 line 3: unknown field "txt"/)
    expect(await detailOf(send('{"text":"ships"}\n{oops\n'))).toMatch(/^400 line 2 is not JSON/)
    expect(await detailOf(send('\n{"text":"ships"}\n{"vector":[1]}'))).toBe('422 line 3 has no text: it has vector')
  })

  it('takes the options of a batch in its address, and no others', async () => {
    const [answer] = await linesOf(send('{"text":"Old ships"}', '?top=1&thresholded=true&language=fi'))
    expect(answer.labels).toMatchObject([{ label: 'ships', name: 'laivat' }])
    expect(await detailOf(send('{"text":"x"}', '?tpo=1'))).toBe('400 unknown field "tpo" (did you mean "top"?)')
    for (const query of ['?top=many', '?top=', '?thresholded=1']) expect((await send('', query)).status).toBe(400)
  })

  it('may come in pieces that are not lines', async () => {
    const pieces = ['{"te', 'xt": "shi', 'ps"}\n\n{"text": "b', 'irds"}']
    const body = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(bytes(piece))
        controller.close()
      },
    })
    const answers = await linesOf(send(body, '?top=1'))
    expect(answers.map(({ labels }) => labels[0].label)).toEqual(['ships', 'birds'])
  })

  it('is answered line by line, before the next line comes', async () => {
    let next: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        next = controller
        controller.enqueue(bytes('{"text": "ships"}\n'))
      },
    })
    const reader = (await send(body, '?top=1')).body?.getReader()
    const answer = async () => new TextDecoder().decode((await reader?.read())?.value)
    expect(await answer()).toContain('"ships"')
    next?.enqueue(bytes('{"text": "birds"}\n'))
    expect(await answer()).toContain('"birds"')
    next?.close()
    expect((await reader?.read())?.done).toBe(true)
  })

  it('may be longer than the largest body, but no line may', async () => {
    const small = createApp(served.service, { bodyBytes: 100 })
    const line = '{"text":"ships"}\n'
    expect(await linesOf(send(line.repeat(20), '', small))).toHaveLength(20)
    const long = `${JSON.stringify({ text: 'ships '.repeat(20) })}\n`
    expect(await detailOf(send(long, '', small))).toBe('413 a line has more than 100 characters')
  })
})
