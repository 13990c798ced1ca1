// Checks of options at the door: each says which option, what it was and what was expected.

import { EngineError } from './errors.ts'

/** The given options, others as their defaults; a name that is neither a default nor in `others` is refused. */
export function fillOptions<Settings extends object>(
  defaults: Settings,
  options: Readonly<Record<string, unknown>>,
  others: readonly string[] = [],
): Settings {
  const names = Object.keys(defaults)
  checkNames(options, names, others)
  const entries = names.map(name => [name, options[name] ?? defaults[name as keyof Settings]])
  return Object.freeze(Object.fromEntries(entries)) as Settings // one entry a name; the caller checks the values
}

/** Refuses options of other names than these; `others` are not told as known. */
export function checkNames(options: object, names: readonly string[], others: readonly string[] = []): void {
  if (typeof options !== 'object' || options === null) refuse('what holds the options', options, 'an object')
  for (const name of Object.keys(options)) {
    if (names.includes(name) || others.includes(name)) continue
    throw new EngineError('UNKNOWN_NAME', `no option is called "${name}"`, { hint: `Known: ${names.join(', ')}.` })
  }
}

export function checkWord(name: string, value: unknown, known: readonly string[]): void {
  if (known.includes(value as string)) return // includes compares, whatever the value is
  throw new EngineError('UNKNOWN_NAME', `${name} is ${shown(value)}, expected one of ${known.join(', ')}`)
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

export function refuse(name: string, value: unknown, expected: string): never {
  throw new EngineError('INVALID_OPTION', `${name} is ${shown(value)}, expected ${expected}`)
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/** Exponents. */
export function checkPower(name: string, value: unknown, otherwise = ''): void {
  checkNumber(name, value, power => power > 0 && power <= 100, `a number above 0 and at most 100${otherwise}`)
}
