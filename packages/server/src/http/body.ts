// Reads the JSON of a request, trusting nothing: its size, how long it takes to come, its bytes, how deep it is nested.

import { HttpProblem } from './problem.ts'

export interface BodyLimits {
  /** The largest body. */
  readonly bodyBytes: number
  /** How long a request may take, in all. */
  readonly timeoutMs: number
}

/** More than any of our shapes needs. */
const deepest = 64

/** Refuses a body that says it is too large. */
export function checkLength(length: string | undefined, { bodyBytes }: Pick<BodyLimits, 'bodyBytes'>): void {
  if (Number(length ?? 0) > bodyBytes) throw tooLarge(bodyBytes)
}

/** The bytes of the body, chunk by chunk. */
export async function* bodyChunks(
  request: globalThis.Request,
  { bodyBytes, timeoutMs }: BodyLimits,
): AsyncGenerator<Uint8Array> {
  checkLength(request.headers.get('content-length') ?? undefined, { bodyBytes })
  const reader = request.body?.getReader()
  if (!reader) return
  let bytes = 0
  const end = Date.now() + timeoutMs
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), end - Date.now())
      if (done) return
      bytes += value.length
      if (bytes > bodyBytes) throw tooLarge(bodyBytes)
      yield value
    }
  } finally {
    // Answers before all of it came must not wait for the rest.
    reader.cancel().catch(() => {})
  }
}

export async function readJson(request: globalThis.Request, limits: BodyLimits): Promise<unknown> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bodyChunks(request, limits)) chunks.push(chunk)
  return parseJson(decode(Buffer.concat(chunks)))
}

export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : ''
    throw new HttpProblem(400, 'BAD_JSON', `the body is not JSON: ${reason}`)
  }
  checkDepth(value)
  return value
}

/** Invalid bytes would become other characters without a word. */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new HttpProblem(400, 'BAD_UTF8', 'the body is not UTF-8')
  }
}

/** With a list of its own instead of calls, so that no nesting can overflow the stack. */
function checkDepth(value: unknown): void {
  const open: [unknown, number][] = [[value, 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [part, depth] = next
    if (typeof part !== 'object' || part === null) continue
    if (depth >= deepest) throw new HttpProblem(400, 'TOO_DEEP', `the body is nested more than ${deepest} deep`)
    if (Object.hasOwn(part, '__proto__')) throw new HttpProblem(400, 'BAD_NAME', 'no field can be called "__proto__"')
    for (const inner of Object.values(part)) if (typeof inner === 'object') open.push([inner, depth + 1])
  }
}

function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HttpProblem(408, 'TOO_SLOW', 'the body did not come in time')), Math.max(ms, 0))
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function tooLarge(bodyBytes: number): HttpProblem {
  return new HttpProblem(413, 'TOO_LARGE', `the body has more than ${bodyBytes} bytes`, {
    hint: 'Send less at once, or start the service with a larger --max-body.',
  })
}
