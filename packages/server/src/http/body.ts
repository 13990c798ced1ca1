// Reads the body of a request, with limits on its size and on the time it takes to arrive.

import { decodeUtf8, parseJson } from '../service/input/json-body.ts'
import { HttpProblem } from './problem.ts'

export interface BodyLimits {
  /** The largest body. */
  readonly bodyBytes: number
  /** How long the body may take to arrive, and then the operation. */
  readonly timeoutMs: number
}

/** Refuses a body whose declared length is too large. */
export function checkLength(length: string | undefined, { bodyBytes }: Pick<BodyLimits, 'bodyBytes'>): void {
  if (Number(length ?? 0) > bodyBytes) throw tooLarge(bodyBytes)
}

/** All of the body. */
export async function readBody(request: globalThis.Request, limits: BodyLimits): Promise<Uint8Array> {
  checkEncoding(request)
  if (request.headers.has('content-length')) return readAtOnce(request, limits)
  const collect = async () => {
    const chunks: Uint8Array[] = []
    for await (const chunk of bodyChunks(request, limits)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  return inTime(collect(), limits.timeoutMs)
}

/** A body with a declared length cannot be longer, so it is not streamed: streaming costs more than the rest of a small request. */
async function readAtOnce(request: globalThis.Request, { bodyBytes, timeoutMs }: BodyLimits): Promise<Uint8Array> {
  checkLength(request.headers.get('content-length') ?? undefined, { bodyBytes })
  const bytes = await inTime(request.arrayBuffer().catch(cutOff), timeoutMs)
  if (bytes.byteLength > bodyBytes) throw tooLarge(bodyBytes)
  return new Uint8Array(bytes)
}

function checkEncoding(request: globalThis.Request): void {
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding.trim().toLowerCase() === 'identity') return
  throw new HttpProblem(415, 'ENCODED', `the body is encoded as ${JSON.stringify(encoding)}: send it without encoding`)
}

/** The bytes of the body, chunk by chunk. No pause may be longer than the time limit. */
export async function* bodyChunks(
  request: globalThis.Request,
  { bodyBytes, timeoutMs }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  checkEncoding(request)
  checkLength(request.headers.get('content-length') ?? undefined, { bodyBytes })
  const reader = request.body?.getReader()
  if (!reader) return
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read().catch(cutOff), timeoutMs)
      if (done) return
      bytes += value.length
      if (bytes > bodyBytes) throw tooLarge(bodyBytes)
      yield value
    }
  } finally {
    // Answers that are sent early must not wait for the rest of the body.
    reader.cancel().catch(() => {})
  }
}

/** For what is parsed here, in the thread of requests: small bodies. Others go to the engine as they are. */
export async function readJson(request: globalThis.Request, limits: BodyLimits): Promise<unknown> {
  return parseJson(decodeUtf8(await readBody(request, limits)))
}

function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HttpProblem(408, 'TOO_SLOW', 'the body did not come in time')), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** The caller has disconnected. Nobody will read this, but it is not our failure. */
function cutOff(): never {
  throw new HttpProblem(400, 'CUT_OFF', 'the connection ended before the body did')
}

function tooLarge(bodyBytes: number): HttpProblem {
  return new HttpProblem(413, 'TOO_LARGE', `the body has more than ${bodyBytes} bytes`, {
    hint: 'Send less at once, or start the service with a larger --max-body.',
  })
}
