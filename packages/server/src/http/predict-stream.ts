// A stream of items in, a stream of suggestions out: a line of JSON each, in the same order. Nothing is collected, so files can have any length.

import { EngineError } from '@vicinal/core'
import type { Context } from 'hono'
import { z } from 'zod'
import { issuesText } from '../service/input/issues-text.ts'
import { BadJson, parseJson } from '../service/input/json-body.ts'
import { item, language, wholeText } from '../service/schemas.ts'
import type { ServiceCalls } from '../service/service.ts'
import { bodyChunks } from './body.ts'
import { HttpProblem, problemOf } from './problem.ts'
import { timed } from './routes.ts'
import type { HttpSettings } from './settings.ts'

/** Lines per call of the engine: enough for a batch to pay off, few enough for answers to come soon. */
const linesAtOnce = 64

interface Batch {
  readonly predictions: readonly object[]
}

interface Line {
  readonly item: unknown
  /** The first is 1. */
  readonly number: number
}

/** In a query, numbers and booleans are texts. */
const streamOptions = z.strictObject({
  top: wholeText(1, 1000, 5),
  thresholded: z
    .enum(['true', 'false'])
    .default('false')
    .transform(text => text === 'true'),
  language,
})

/** After the first answers the status is sent: a later error is the last line, as { "error": problem }. */
export async function predictStream(
  context: Context,
  service: ServiceCalls,
  name: string,
  settings: HttpSettings,
): Promise<Response> {
  const options = checked(streamOptions, context.req.query())
  // Of any length, and as long as the caller takes: only a pause may not be too long, nor a line.
  const chunks = bodyChunks(context.req.raw, { ...settings, bodyBytes: Number.POSITIVE_INFINITY })
  const answers = (async function* () {
    for await (const lines of groups(linesOf(chunks, settings.bodyBytes))) {
      const input = { items: lines.map(({ item }) => item), ...options }
      const answered = timed(service, { kind: 'model', name: 'predictBatch' }, name, input, settings)
      const answer: Batch = JSON.parse(await answered.catch(error => Promise.reject(withLine(error, lines))))
      yield answer.predictions.map(one => `${JSON.stringify(one)}\n`).join('')
    }
  })()
  const first = await answers.next()
  return new Response(streamOf(encoded(first, answers)), { headers: { 'content-type': 'application/x-ndjson' } })
}

function checked<Shape extends z.ZodType>(shape: Shape, given: unknown): z.output<Shape> {
  const result = shape.safeParse(given)
  if (result.success) return result.data
  throw new EngineError('INVALID_OPTION', issuesText(result.error, shape, given))
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

/** The lines that a chunk of the body completes, blank ones too. */
interface Chunk {
  readonly lines: readonly string[]
  /** Whether it ends with a line. If not, more must come. */
  readonly isWhole: boolean
}

async function* linesOf(chunks: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<Chunk> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decoded = (chunk?: Uint8Array) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
    } catch {
      throw new HttpProblem(400, 'BAD_UTF8', 'the body is not UTF-8')
    }
  }
  const line = new LongLine(longest)
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoded(chunk).split('\n')
    line.add(first)
    const lines = others.map(next => {
      const whole = line.end()
      line.add(next)
      return whole
    })
    yield { lines, isWhole: others.at(-1) === '' }
  }
  line.add(decoded())
  yield { lines: [line.end()], isWhole: true }
}

/** A line that may come in many pieces. They are joined once, at its end. */
class LongLine {
  readonly #longest: number
  #pieces: string[] = []
  #length = 0

  constructor(longest: number) {
    this.#longest = longest
  }

  add(piece: string): void {
    this.#pieces.push(piece)
    this.#length += piece.length
    if (this.#length <= this.#longest) return
    throw new HttpProblem(413, 'TOO_LARGE', `a line has more than ${this.#longest} characters`, {
      hint: 'Start the service with a larger --max-body.',
    })
  }

  end(): string {
    const line = this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    return line
  }
}

/** Items of several lines. Nobody waits for lines that have yet to come: who sends slowly gets answers meanwhile. */
async function* groups(chunks: AsyncIterable<Chunk>): AsyncGenerator<Line[]> {
  let number = 0
  let group: Line[] = []
  for await (const { lines, isWhole } of chunks) {
    for (const line of lines) {
      number++
      if (line.trim() === '') continue
      group.push({ item: itemOf(line, number), number })
      if (group.length < linesAtOnce) continue
      yield group
      group = []
    }
    if (!isWhole || group.length === 0) continue
    yield group
    group = []
  }
}

function itemOf(line: string, number: number): unknown {
  try {
    return checked(item, parseJson(line))
  } catch (error) {
    if (error instanceof BadJson) {
      throw new BadJson(error.problem, error.message.replace(/^the body/, `line ${number}`))
    }
    throw error instanceof EngineError ? new EngineError(error.code, `line ${number}: ${error.message}`) : error
  }
}

/** The engine counts the items of its call. The caller counts lines. */
function withLine(error: unknown, lines: readonly Line[]): unknown {
  const place = error instanceof EngineError ? /^item (\d+)/.exec(error.message) : undefined
  const number = place && lines[Number(place[1])]?.number
  if (!(error instanceof EngineError) || !place || number === undefined) return error
  const { code, message, hint } = error
  return new EngineError(code, `line ${number}${message.slice(place[0].length)}`, hint === undefined ? {} : { hint })
}
