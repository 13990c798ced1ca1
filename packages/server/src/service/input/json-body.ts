// The JSON of a request as it came, in bytes. It is parsed where the engine runs, so that a large body does not hold up the thread that
// answers requests. Its bytes, its nesting and its names are checked.

import { EngineError } from '@vicinal/core'

/** A body that cannot be read. */
export class BadJson extends EngineError {
  /** Its code, for callers. */
  readonly problem: 'BAD_JSON' | 'BAD_UTF8' | 'BAD_NAME' | 'TOO_DEEP'

  constructor(problem: BadJson['problem'], message: string) {
    super('BAD_DATA', message)
    this.problem = problem
  }

  override get status(): number {
    return 400
  }
}

/** The input of an operation, not parsed yet. */
export class JsonBody {
  readonly bytes: Uint8Array
  /** Fields that came elsewhere, such as in the path. */
  readonly fields: Readonly<Record<string, string>>

  constructor(bytes: Uint8Array, fields: Readonly<Record<string, string>> = {}) {
    this.bytes = bytes
    this.fields = fields
  }

  parse(): object {
    const body = parseJson(decodeUtf8(this.bytes))
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body, ...this.fields }
    throw new BadJson('BAD_JSON', 'the body is not an object')
  }
}

export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 200) : ''
    throw new BadJson('BAD_JSON', `the body is not JSON: ${reason}`)
  }
  checkDepth(value)
  return value
}

/** Checked, because invalid bytes would silently become other characters. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new BadJson('BAD_UTF8', 'the body is not UTF-8')
  }
}

/** More than any of our shapes needs. */
const deepest = 64

/** Uses a list instead of recursion, so that deep nesting cannot overflow the stack. */
function checkDepth(value: unknown): void {
  const open: [unknown, number][] = [[value, 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [part, depth] = next
    if (typeof part !== 'object' || part === null) continue
    if (depth >= deepest) throw new BadJson('TOO_DEEP', `the body is nested more than ${deepest} deep`)
    if (Object.hasOwn(part, '__proto__')) throw new BadJson('BAD_NAME', 'no field can be called "__proto__"')
    for (const inner of Object.values(part)) if (typeof inner === 'object') open.push([inner, depth + 1])
  }
}
