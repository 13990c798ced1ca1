// A stream of items in, a stream of suggestions out: a line of JSON each, in the same order. Nothing is collected, so files of any length pass.

import type { Context } from 'hono'
import { operations } from '../service/operations.ts'
import type { ServiceCalls } from '../service/service.ts'
import { bodyChunks, parseJson } from './body.ts'
import { HttpProblem, problemOf } from './problem.ts'
import { timed } from './routes.ts'
import type { HttpSettings } from './settings.ts'

/** Lines per call of the engine: enough for a batch to pay off, few enough for answers to come soon. */
const linesAtOnce = 64
/** One line may not fill the memory. */
const longestLine = 2 ** 24

interface Batch {
  readonly predictions: readonly object[]
}

const batch = operations.find(({ kind, name }) => kind === 'model' && name === 'predictBatch')

/** After the first answer the status is sent: an error is the last line then, as { "error": problem }. */
export function predictStream(context: Context, service: ServiceCalls, name: string, settings: HttpSettings): Response {
  if (!batch) throw new HttpProblem(500, 'INTERNAL', 'there is no batch operation')
  const top = Number(context.req.query('top') ?? 5)
  const lines = linesOf(bodyChunks(context.req.raw, { ...settings, bodyBytes: Number.POSITIVE_INFINITY }))
  const encoder = new TextEncoder()
  const answers = (async function* () {
    try {
      for await (const items of groups(lines)) {
        const answer: Batch = JSON.parse(await timed(service, batch, name, { items, top }, settings))
        yield encoder.encode(answer.predictions.map(one => `${JSON.stringify(one)}\n`).join(''))
      }
    } catch (error) {
      yield encoder.encode(`${JSON.stringify({ error: problemOf(error) })}\n`)
    }
  })()
  return new Response(streamOf(answers), { headers: { 'content-type': 'application/x-ndjson' } })
}

/** Asks for the next answer when the last one was sent: a slow reader slows the engine down, not the memory up. */
function streamOf(answers: AsyncGenerator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await answers.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await answers.return(undefined)
    },
  })
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  const decoded = (chunk?: Uint8Array) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
    } catch {
      throw new HttpProblem(400, 'BAD_UTF8', 'the body is not UTF-8')
    }
  }
  for await (const chunk of chunks) {
    const lines = (rest + decoded(chunk)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestLine) throw new HttpProblem(413, 'TOO_LARGE', 'a line has more than 16 MiB')
    yield* lines.filter(line => line.trim() !== '')
  }
  rest += decoded()
  if (rest.trim() !== '') yield rest
}

async function* groups(lines: AsyncIterable<string>): AsyncGenerator<unknown[]> {
  let group: unknown[] = []
  for await (const line of lines) {
    group.push(parseJson(line))
    if (group.length < linesAtOnce) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}
