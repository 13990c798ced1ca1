// Finds where a text stops being JSON. Engines word their parse errors differently and often leave out the position, so
// it is found here, on bad lines only. Needs no recursion: a stack of open brackets says what may follow a value.

const space = /[ \t\r\n]*/y
const escapeSequence = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y

/** The tokens that may come next. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | 'separator'

/** The offset of the first character that cannot occur there in JSON; the length, if the text ends too early. */
export function findJsonFault(source: string): number {
  const open: string[] = []
  let expected: Expected = 'value'
  let at = 0
  for (;;) {
    at += matchLength(space, source, at)
    if (expected === 'separator' && open.length === 0) return at
    const length = tokenLength(source, at, expected, open)
    if (length <= 0) return at - length
    expected = follow(source[at], expected, open)
    at += length
  }
}

/** The length of the token at `at` if it is allowed there; otherwise less than 1: minus the offset of the fault in it. */
function tokenLength(source: string, at: number, expected: Expected, open: readonly string[]): number {
  const first = source[at]
  if (first === undefined) return 0
  const closing = open.at(-1) === '{' ? '}' : ']'
  if (expected === ':' || expected === 'separator') {
    const allowed = expected === ':' ? ':' : `,${closing}`
    return allowed.includes(first) ? 1 : 0
  }
  if (first === closing) return expected.endsWith(closing) ? 1 : 0
  if (first === '"') return stringLength(source, at)
  if (expected.startsWith('key')) return 0
  return first === '{' || first === '[' ? 1 : matchLength(scalar, source, at)
}

/** Walks the string by hand: a pattern that repeats one of two things runs out of stack on a long string. */
function stringLength(source: string, at: number): number {
  let end = at + 1
  while (end < source.length && source[end] !== '"') {
    const length =
      source[end] === '\\' ? matchLength(escapeSequence, source, end) : Number(source.charCodeAt(end) >= 32)
    if (length === 0) return at - end
    end += length
  }
  return end < source.length ? end + 1 - at : at - end
}

/** What may come behind the token that begins with `first`. */
function follow(first: string | undefined, expected: Expected, open: string[]): Expected {
  if (first === '{' || first === '[') {
    open.push(first)
    return first === '{' ? 'key or }' : 'value or ]'
  }
  if (first === ',') return open.at(-1) === '{' ? 'key' : 'value'
  if (first === ':') return 'value'
  if (first === '}' || first === ']') open.pop()
  return expected.startsWith('key') && first === '"' ? ':' : 'separator'
}

function matchLength(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0].length ?? 0
}
