// Valid JSON with one thing wrong: a value replaced by another kind of value, removed, wrapped, or joined by a field that nobody knows.

import type { Pick } from './bad-request.cases.ts'

type Path = readonly (string | number)[]

const deep = (levels: number, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels)

/** Written as they are, so that there can be among them what JSON.stringify would never write. */
const literals: readonly string[] = [
  ...['null', 'true', 'false', '0', '-1', '-0', '0.5', '1.5', '1e308', '-1e308', '1e400', '-1e400', '5e-324'],
  ...['9007199254740993', '4294967296', '2147483648', '1e21', 'NaN', 'Infinity', 'undefined', '01', '+1', '0x10', '1n'],
  ...['""', '" "', '"\\u0000"', '"\\ud800"', '"../../etc/passwd"', '"__proto__"', '"constructor"', '"NaN"', '"1"'],
  ...['"\\u202e\\ufeff"', '"💥"', `"${'x'.repeat(5000)}"`, `"${'\\u0001'.repeat(500)}"`, "'single'", '"unterminated'],
  ...['[]', '{}', '[[]]', '[null]', '[{}]', '[1,"a",null]', '{"a":1}', '{"length":-1}', '{"length":4294967295}'],
  ...['{"__proto__":{"top":1}}', '{"constructor":{"prototype":{"x":1}}}', '{"toString":null}', '{"toJSON":"x"}'],
  ...[
    '{"then":1}',
    '{"text":"a","text":"b"}',
    '{"$gt":""}',
    '{"gte":{"gte":1}}',
    '{"$ref":"#"}',
    '[,]',
    '{,}',
    '{"a":}',
  ],
  ...[deep(63), deep(70), deep(5000), deep(70, '{"a":', '}').replace('{"a":}', '{"a":1}')],
  ...[`[${'1,'.repeat(999)}1]`, `[${'"a",'.repeat(500)}"a"]`, `[${'{},'.repeat(200)}{}]`],
]

const mark = '@here@'

/** The text of `valid` with one change. */
export function mutated(valid: object, pick: Pick): string {
  const path = pick.of(pathsOf(valid))
  const copy = structuredClone(valid)
  const way = pick.of(['replace', 'replace', 'replace', 'remove', 'wrap', 'add', 'rename'] as const)
  if (path.length === 0) return way === 'wrap' ? JSON.stringify([valid]) : pick.of(literals)
  const parent = at(copy, path.slice(0, -1)) as Record<string | number, unknown> // paths go through objects and lists
  const last = path.at(-1) as string | number
  if (way === 'remove') delete parent[last]
  if (way === 'wrap') parent[last] = [parent[last]]
  if (way === 'replace') parent[last] = mark
  if (way === 'add') parent[pick.of(unknownNames)] = mark
  if (way === 'rename') {
    parent[`${last}s`] = parent[last]
    delete parent[last]
  }
  return JSON.stringify(copy).replace(JSON.stringify(mark), () => pick.of(literals))
}

const unknownNames = [
  'tpo',
  'Top',
  'signal',
  'constructor',
  'hasOwnProperty',
  'toString',
  '__defineGetter__',
  '',
  '0',
  'a'.repeat(300),
]

/** Every place in a value, from the outside in. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...path, name]))]
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, name) => (part as Record<string | number, unknown>)[name], value)
}

/** Bytes that are no JSON, or not in UTF-8. */
export function badBytes(valid: object, pick: Pick): Buffer {
  const text = JSON.stringify(valid)
  const bytes = Buffer.from(text)
  const place = pick.below(bytes.length)
  return pick.of([
    () => bytes.subarray(0, place),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.concat([bytes.subarray(0, place), Buffer.from([0xff, 0xc3, 0x28]), bytes.subarray(place)]),
    () => Buffer.from(text, 'utf16le'),
    () => Buffer.from(`${text}\u0000`),
    () => Buffer.from(Array.from({ length: pick.below(200) }, () => pick.below(256))),
    () => Buffer.from(' \n'),
    () => Buffer.from([0xed, 0xa0, 0x80]),
    () => Buffer.from(`/* comment */${text}`),
    () => Buffer.from(`)]}',\n${text}`),
    () => Buffer.from(deep(100_000)),
  ])()
}
