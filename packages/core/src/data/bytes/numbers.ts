// Numbers straight from bytes. Invariant: every accepted text gives exactly what Number() gives; accepted are plain
// decimals only: no hexadecimal, no `nan`, no `inf`, no white space, nothing that a 32-bit float cannot hold, and
// nothing of more than a thousand characters.

import type { EngineError } from '../../errors.ts'
import type { LineBlock } from './lines.ts'

const [zero, nine, dot, plus, minus] = [48, 57, 46, 43, 45]
// Up to 15 digits and powers of ten up to 22 are exact in a double, so that one multiplication rounds once, correctly.
const exactDigits = 15
const maxCharacters = 1000
const powersOfTen = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`))
const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** The number in bytes [start, end), or NaN if they are not one finite 32-bit decimal number. */
export function parseNumber(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start]
  const signed = first === minus || first === plus
  let mantissa = 0
  let digits = 0
  let decimals = -1
  for (let at = signed ? start + 1 : start; at < end; at++) {
    const byte = bytes[at]
    if (byte >= zero && byte <= nine) {
      mantissa = mantissa * 10 + (byte - zero)
      if (mantissa > 0) digits++
      if (decimals >= 0) decimals++
    } else if (byte === dot && decimals < 0) decimals = 0
    else return parseSlowly(bytes, start, end)
  }
  const seen = end - start - (signed ? 1 : 0) - (decimals >= 0 ? 1 : 0)
  if (seen <= 0 || digits > exactDigits || decimals > 22) return parseSlowly(bytes, start, end)
  const value = decimals > 0 ? mantissa / powersOfTen[decimals] : mantissa
  return first === minus ? -value : value
}

/** Exponents, many digits and everything that is wrong. */
function parseSlowly(bytes: Uint8Array, start: number, end: number): number {
  const token = latin1(bytes, start, end)
  const value = decimal.test(token) ? Number(token) : Number.NaN
  return Number.isFinite(Math.fround(value)) ? value : Number.NaN
}

/** The whole number in bytes [start, end), digits only, or -1 if they are not one below 2⁵³. */
export function parseWhole(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end) return -1
  let value = 0
  for (let at = start; at < end; at++) {
    const digit = bytes[at] - zero
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value <= Number.MAX_SAFE_INTEGER ? value : -1
}

/** The error for bytes [start, end) of the block's line where parseNumber gave NaN; `what` names the number's meaning. */
export function numberError(block: LineBlock, start: number, end: number, what: string): EngineError {
  const tooLarge = decimal.test(latin1(block.bytes, start, end))
  const expected = tooLarge ? 'a number that fits 32 bits (at most 3.4e38)' : 'a finite decimal number'
  return block.error(`${what} is ${quote(block.bytes, start, end)}, expected ${expected}`, start)
}

/** The error for bytes [start, end) of the block's line where parseWhole gave -1. */
export function wholeError(block: LineBlock, start: number, end: number, what: string, hint?: string): EngineError {
  const found = quote(block.bytes, start, end)
  return block.error(`${what} is ${found}, expected a whole number of at least 0`, start, hint)
}

/** Bytes as a quoted word for messages: short, and never an error itself. */
export function quote(bytes: Uint8Array, start: number, end: number): string {
  if (start >= end) return 'empty'
  const word = new TextDecoder().decode(bytes.subarray(start, Math.min(end, start + 40)))
  return JSON.stringify(end - start > 40 ? `${word}…` : word)
}

/** A token as a string for Number() and the pattern above; other bytes than ASCII come out as something neither takes. */
function latin1(bytes: Uint8Array, start: number, end: number): string {
  return end - start > maxCharacters ? '' : String.fromCharCode(...bytes.subarray(start, end))
}

/** Whole numbers in all their digits; of others, the shortest decimal that reads back as the same 32-bit float. */
export function formatFloat32(value: number): string {
  const size = Math.abs(value)
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  if (Number.isSafeInteger(size)) return `${sign}${size}`
  // Few decimals, as nearly always: digits of a whole number take less than half the time of the general way below.
  for (let decimals = 1; decimals <= 9 && size < 2 ** 20; decimals++) {
    const scaled = Math.round(size * powersOfTen[decimals])
    if (Math.fround(scaled / powersOfTen[decimals]) === size) return sign + pointed(scaled, decimals)
  }
  let shortest = value
  for (let digits = 6; digits <= 9; digits++) {
    shortest = Number(value.toPrecision(digits))
    if (Math.fround(shortest) === value) break
  }
  return String(shortest)
}

/** `scaled` / 10^decimals in digits. */
function pointed(scaled: number, decimals: number): string {
  const digits = String(scaled).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
