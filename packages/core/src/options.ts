// Checks of options: every public call that takes options has a table of their names with a check for each. Unknown names and
// values that are not allowed are refused; undefined counts as absent.

import { EngineError, shown } from './errors.ts'
import type { LongWork } from './long-work.ts'
import { didYouMean } from './nearest-names.ts'

/** Refuses a value that is not allowed for the option `name`. */
export type Check = (name: string, value: unknown) => void

/** The options that one call takes, each with its check. */
export type OptionTable = ReadonlyMap<string, Check>

/** The table of an options type: the compiler refuses a name too many or too few. Bundlers drop tables that nobody uses. */
/* @__NO_SIDE_EFFECTS__ */
export function optionTable<Options extends object>(checks: Readonly<Record<keyof Options, Check>>): OptionTable {
  return new Map(Object.entries<Check>(checks))
}

/** Refuses what is not an object of these options. Costs some nanoseconds an option: searches call it. */
export function checkOptions(options: object, table: OptionTable): void {
  if (!isPlain(options)) checkHolder(options)
  for (const name in options) {
    const value: unknown = options[name as keyof typeof options] // one of its names
    if (value === undefined) continue
    const check = table.get(name)
    if (check === undefined) throw unknownOption(name, [...table.keys()])
    check(name, value)
  }
}

/** The given options, others as their defaults. A name that is neither a default nor in `others` is refused. */
export function fillOptions<Settings extends object>(
  defaults: Settings,
  options: Readonly<Record<string, unknown>>,
  others: OptionTable = noOptions,
): Settings {
  if (!isPlain(options)) checkHolder(options)
  const names = Object.keys(defaults)
  for (const name in options) {
    if (options[name] === undefined || Object.hasOwn(defaults, name)) continue
    const check = others.get(name)
    if (check === undefined) throw unknownOption(name, [...names, ...others.keys()])
    check(name, options[name])
  }
  const filled: Settings = { ...defaults }
  for (const name of names) {
    // The caller checks the values.
    if (options[name] !== undefined) filled[name as keyof Settings] = options[name] as Settings[keyof Settings]
  }
  return Object.freeze(filled)
}

export const noOptions: OptionTable = new Map()

/** The error for an unknown option; `taker` is the method or index kind that does not have it. */
export function unknownOption(name: string, known: readonly string[], taker?: string): EngineError {
  const suggestion = didYouMean(name, known)
  const message = taker === undefined ? `unknown option "${name}"` : `${taker} has no option "${name}"`
  const hint = known.length === 0 ? 'This call takes no options.' : `Known: ${known.join(', ')}.`
  return new EngineError('UNKNOWN_NAME', message, {
    hint: suggestion === undefined ? hint : `${suggestion} ${hint}`,
  })
}

/** Written as an object literal, or made without a prototype. */
function isPlain(options: unknown): boolean {
  if (typeof options !== 'object' || options === null) return false
  const prototype = Object.getPrototypeOf(options)
  return prototype === Object.prototype || prototype === null
}

/** Objects of any class are fine. Lists, maps, promises and dates are not: their contents would be ignored. */
export function checkHolder(options: unknown): void {
  const tag = Object.prototype.toString.call(options)
  if (typeof options === 'object' && options !== null && tag === '[object Object]') return
  throw new EngineError('INVALID_OPTION', `options are ${shown(options)}, expected an object`, {
    hint: tag === '[object Promise]' ? 'Await it first.' : 'Give an object of options, such as { k: 10 }.',
  })
}

/** For options whose values are checked by the code that uses them. */
export const checkedLater: Check = () => {}

export const checkFunction: Check = (name, value) => {
  if (typeof value !== 'function') refuse(name, value, 'a function')
}

export const checkBoolean: Check = (name, value) => {
  if (typeof value !== 'boolean') refuse(name, value, 'true or false')
}

export function checkObject(name: string, value: unknown, expected: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(name, value, expected)
}

/** A single text would be read letter by letter: it is refused. */
export const checkIterable: Check = (name, value) => {
  const isIterable = typeof value === 'object' && value !== null && Symbol.iterator in value
  if (!isIterable) refuse(name, value, 'a list')
}

export const checkText: Check = (name, value) => {
  if (typeof value !== 'string') refuse(name, value, 'a string')
}

/** The path of a file. Node would take numbers for open files. */
export const checkPath: Check = (name, value) => {
  if (typeof value !== 'string' || value === '') refuse(name, value, 'the path of a file')
  if (value.includes('\0')) refuse(name, value, 'a path without a zero byte')
}

export const checkTexts: Check = (name, value) => {
  if (!Array.isArray(value)) refuse(name, value, 'a list of strings')
  const wrong = Array.from(value).findIndex(item => typeof item !== 'string')
  if (wrong >= 0) refuse(`${name}[${wrong}]`, value[wrong], 'a string')
}

/** Any object with the parts of an AbortSignal that we use: there are polyfills. */
export const checkSignal: Check = (name, value) => {
  const signal = value as AbortSignal | null // only what is checked here
  const isSignal = typeof signal === 'object' && typeof signal?.aborted === 'boolean'
  if (!isSignal || typeof signal.addEventListener !== 'function') refuse(name, value, 'an AbortSignal')
}

export const mostThreads = 256
export const checkThreads: Check = (name, value) => checkWhole(name, value, 1, mostThreads)

/** The checks of `LongWork`. */
export const workChecks = Object.freeze({ signal: checkSignal, onProgress: checkFunction })
export const workOptions = optionTable<LongWork>(workChecks)

export function checkWord(name: string, value: unknown, known: readonly string[]): void {
  if (known.includes(value as string)) return // includes accepts any value
  const suggestion = typeof value === 'string' ? didYouMean(value, known) : undefined
  throw new EngineError('UNKNOWN_NAME', `${name} is ${shown(value)}, expected one of ${known.join(', ')}`, {
    ...(suggestion !== undefined && { hint: suggestion }),
  })
}

export function checkWhole(name: string, value: unknown, from: number, to: number): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to) return
  refuse(name, value, `a whole number from ${from} to ${to}`)
}

export function checkNumber(name: string, value: unknown, allowed: (value: number) => boolean, expected: string): void {
  if (typeof value !== 'number' || !allowed(value)) refuse(name, value, expected)
}

/** Numbers from 0 on. */
export function checkRange(name: string, value: unknown, most: number): void {
  checkNumber(name, value, number => number >= 0 && number <= most, `a number from 0 to ${most}`)
}

/** Exponents. */
export function checkPower(name: string, value: unknown, otherwise = ''): void {
  checkNumber(name, value, power => power > 0 && power <= 100, `a number above 0 and at most 100${otherwise}`)
}

export function refuse(name: string, value: unknown, expected: string): never {
  throw new EngineError('INVALID_OPTION', `${name} is ${shown(value)}, expected ${expected}`)
}
