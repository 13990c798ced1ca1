// What was wrong with an input, in words: which field is unknown, which is missing, and what was expected. A union of shapes says only that none
// fits, so we look into the shapes that come nearest.

import { didYouMean, shown } from '@vicinal/core/internals'
import { z } from 'zod'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** 'unknown field "txt" (did you mean "text"?); text or vector is missing'. */
export function issuesText({ issues }: z.ZodError, shape: z.ZodType, input: unknown): string {
  const found = issues.flatMap(issue => nearest(issue))
  const unknown = found.flatMap(issue => (issue.code === 'unrecognized_keys' ? unknownFields(issue, shape) : []))
  const others = found.filter(issue => issue.code !== 'unrecognized_keys')
  const missing = others.filter(({ path }) => valueAt(input, path) === undefined)
  const wrong = others.filter(({ path }) => valueAt(input, path) !== undefined)
  const texts = [...unknown, ...missingFields(missing), ...wrongFields(wrong, input)]
  return [...new Set(texts)].slice(0, 5).join('; ')
}

/** The issue itself; of a union, those of the shapes with the fewest. */
function nearest(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
  const fewest = Math.min(...issue.errors.map(issues => issues.length))
  const inside = issue.errors.filter(issues => issues.length === fewest).flat()
  return inside.flatMap(one => nearest(one)).map(one => ({ ...one, path: [...issue.path, ...one.path] }))
}

function unknownFields({ path, keys }: Issue & { readonly keys: string[] }, shape: z.ZodType): string[] {
  const known = [...new Set(fieldsAt(shape, path))]
  return keys.map(key => {
    const meant = didYouMean(key, known)?.replace('Did', 'did')
    const allowed = known.length > 0 ? `expected ${oneOf(known)}` : 'expected none'
    return `unknown field ${JSON.stringify(named([...path, key]))}${meant ? ` (${meant})` : `, ${allowed}`}`
  })
}

/** Fields that are missing from one object, in one of several shapes, are alternatives. */
function missingFields(issues: readonly Issue[]): string[] {
  return grouped(issues, ({ path }) => named(path.slice(0, -1))).map(inside => {
    const names = [...new Set(inside.map(({ path }) => named(path)))]
    const kinds = names.length === 1 ? `, expected ${expectedOf(inside)}` : ''
    return `${oneOf(names)} is missing${kinds}`
  })
}

function wrongFields(issues: readonly Issue[], input: unknown): string[] {
  return grouped(issues, ({ path }) => named(path)).map(inside => {
    const [{ path }] = inside as [Issue]
    return `${named(path) || 'the input'} is ${shown(valueAt(input, path))}, expected ${expectedOf(inside)}`
  })
}

function grouped(issues: readonly Issue[], nameOf: (issue: Issue) => string): Issue[][] {
  const groups = new Map<string, Issue[]>()
  for (const issue of issues) groups.set(nameOf(issue), [...(groups.get(nameOf(issue)) ?? []), issue])
  return [...groups.values()]
}

function expectedOf(issues: readonly Issue[]): string {
  return oneOf([...new Set(issues.map(expected))])
}

const kinds: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false' },
  ...{ array: 'a list', object: 'an object', record: 'an object' },
}

function expected(issue: Issue): string {
  if (issue.message.startsWith('expected ')) return issue.message.slice('expected '.length) // in our own words
  if (issue.code === 'invalid_type') return kinds[issue.expected] ?? issue.expected
  if (issue.code === 'invalid_value') return oneOf(issue.values.map(value => JSON.stringify(value)))
  if (issue.code === 'too_small') return `${sizeOf(issue.origin)}at least ${issue.minimum}`
  if (issue.code === 'too_big') return `${sizeOf(issue.origin)}at most ${issue.maximum}`
  return `something else: ${issue.message}`
}

function sizeOf(origin: string): string {
  return origin === 'string' ? 'a length of ' : origin === 'array' ? 'a list with a length of ' : ''
}

/** The names of the fields that an object may have at a place of a shape. */
function fieldsAt(shape: unknown, path: Path): string[] {
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodDefault) return fieldsAt(shape.unwrap(), path)
  if (shape instanceof z.ZodUnion) return shape.options.flatMap(option => fieldsAt(option, path))
  const [first, ...rest] = path
  if (shape instanceof z.ZodArray) return first === undefined ? [] : fieldsAt(shape.element, rest)
  if (!(shape instanceof z.ZodObject)) return []
  return first === undefined ? Object.keys(shape.shape) : fieldsAt(shape.shape[String(first)], rest)
}

function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part],
    input,
  )
}

function named(path: Path): string {
  return path.map(String).join('.')
}

/** 'a, b or c'. */
function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
