// A stream of items in, a stream of suggestions out: a line of JSON each, in the same order. Nothing is collected, so files can have any length.

import type { Context } from 'hono'
import { parseJson } from '../service/input/json-body.ts'
import { operations } from '../service/operations.ts'
import type { ServiceCalls } from '../service/service.ts'
import { bodyChunks } from './body.ts'
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

/** After the first answers the status is sent: a later error is the last line, as { "error": problem }. */
export async function predictStream(
  context: Context,
  service: ServiceCalls,
  name: string,
  settings: HttpSettings,
): Promise<Response> {
  if (!batch) throw new HttpProblem(500, 'INTERNAL', 'there is no batch operation')
  const top = topOf(context.req.query('top'))
  // Of any length, and as long as the caller takes: only a pause may not be too long.
  const lines = linesOf(bodyChunks(context.req.raw, { ...settings, bodyBytes: Number.POSITIVE_INFINITY }))
  const answers = (async function* () {
    for await (const items of groups(lines)) {
      const answer: Batch = JSON.parse(await timed(service, batch, name, { items, top }, settings))
      yield answer.predictions.map(one => `${JSON.stringify(one)}\n`).join('')
    }
  })()
  const first = await answers.next()
  return new Response(streamOf(encoded(first, answers)), { headers: { 'content-type': 'application/x-ndjson' } })
}

/** A number in a query is a text. */
function topOf(text = '5'): number {
  if (/^\d{1,4}$/.test(text) && Number(text) > 0) return Number(text) // the operation knows the most
  throw new HttpProblem(
    400,
    'INVALID_OPTION',
    `top is ${JSON.stringify(text.slice(0, 20))}, expected a whole number from 1 to 1000`,
  )
}

async function* encoded(
  first: IteratorResult<string>,
  rest: AsyncGenerator<string>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  if (first.done) return
  yield encoder.encode(first.value)
  try {
    for await (const lines of rest) yield encoder.encode(lines)
  } catch (error) {
    yield encoder.encode(`${JSON.stringify({ error: problemOf(error) })}\n`)
  }
}

/** Computes the next answer when the last one was sent, so that a slow reader slows down the engine instead of filling the memory. */
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
  const decoded = (chunk?: Uint8Array) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
    } catch {
      throw new HttpProblem(400, 'BAD_UTF8', 'the body is not UTF-8')
    }
  }
  const line = new LongLine()
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoded(chunk).split('\n')
    line.add(first)
    for (const next of others) {
      yield* line.end()
      line.add(next)
    }
  }
  line.add(decoded())
  yield* line.end()
}

/** A line that may come in many pieces. They are joined once, at its end. */
class LongLine {
  #pieces: string[] = []
  #length = 0

  add(piece: string): void {
    this.#pieces.push(piece)
    this.#length += piece.length
    if (this.#length > longestLine) throw new HttpProblem(413, 'TOO_LARGE', 'a line has more than 16 MiB')
  }

  /** The line, unless it is blank. */
  end(): string[] {
    const line = this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    return line.trim() === '' ? [] : [line]
  }
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
