// The options of a method on the command line: `--set name=value`. The type of an option follows from its default; the
// options of a part are written with a dot: `text.stemmer`.

import { EngineError, textDefaults } from '@vicinal/core'
import { unknownOption } from '@vicinal/core/internals'

type Options = Readonly<Record<string, unknown>>

/** Options that are objects, with their fields. */
const parts: Readonly<Record<string, Options>> = Object.freeze({ text: { ...textDefaults } })

/** The defaults of everything that `--set` takes, by name. The method has its own flag. */
export function settableOptions(defaults: Options): Record<string, unknown> {
  const { method: _, ...settable } = defaults
  const flat = Object.entries(settable).flatMap(([name, value]): [string, unknown][] => {
    const part = parts[name]
    return part ? Object.entries(part).map(([inner, value]) => [`${name}.${inner}`, value]) : [[name, value]]
  })
  return Object.fromEntries(flat)
}

/** The options in words such as `name=value`; if an option is given twice, the later one counts. */
export function parseSettings(method: string, defaults: Options, settings: readonly string[]): Record<string, unknown> {
  const settable = settableOptions(defaults)
  const options: Record<string, unknown> = {}
  for (const setting of settings) {
    const [name, text] = cut(setting)
    if (!Object.hasOwn(settable, name)) throw unknownOption(name, Object.keys(settable), method)
    const value = parseValue(name, text, settable[name])
    const [outer = name, inner] = name.split('.')
    options[outer] = inner === undefined ? value : { ...(options[outer] as Options), [inner]: value } // a part, or nothing yet
  }
  return options
}

/** A value as `--set` takes it. */
export function formatValue(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** All options of a method, flat, as `--set` takes them. */
export function formatOptions(options: Options): [name: string, value: string][] {
  return Object.entries(options).flatMap(([name, value]): [string, string][] => {
    if (!parts[name]) return [[name, formatValue(value)]]
    return Object.entries(value as Options).map(([inner, value]) => [`${name}.${inner}`, formatValue(value)]) // a part
  })
}

function cut(setting: string): [name: string, text: string] {
  const at = setting.indexOf('=')
  if (at > 0) return [setting.slice(0, at), setting.slice(at + 1)]
  throw new EngineError('INVALID_OPTION', `--set ${setting} has no value, expected name=value`, {
    hint: 'For example --set neighbors=50.',
  })
}

function parseValue(name: string, text: string, example: unknown): unknown {
  if (Array.isArray(example)) return parseList(name, text, example)
  if (typeof example === 'boolean') return parseBoolean(name, text)
  const number = toNumber(text)
  if (!Number.isNaN(number)) return number
  // An option that is a word may also take a number; the method checks it.
  if (typeof example === 'string') return text
  throw wrongValue(name, text, `a number such as ${example}`)
}

/** Items separated by commas; numbers if the example has numbers. */
function parseList(name: string, text: string, example: readonly unknown[]): readonly (string | number)[] {
  const items = text === '' ? [] : text.split(',')
  if (typeof example[0] !== 'number') return items
  const numbers = items.map(toNumber)
  if (numbers.includes(Number.NaN)) throw wrongValue(name, text, `numbers such as ${example}`)
  return numbers
}

function parseBoolean(name: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw wrongValue(name, text, 'true or false')
}

/** `text` as a finite number, or NaN. */
function toNumber(text: string): number {
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? Number.NaN : number
}

function wrongValue(name: string, text: string, expected: string): EngineError {
  return new EngineError('INVALID_OPTION', `--set ${name}=${text}: expected ${expected}`)
}
