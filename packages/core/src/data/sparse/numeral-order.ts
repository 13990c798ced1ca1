// Puts labels that are numbers in the order of their values. Compared as decimals, not as doubles: 9007199254740993 and
// 9007199254740992 are the same double, but two labels.

/** A decimal number that is no zero: ±0.digits × 10^exponent, where digits neither begin nor end with 0. */
interface Decimal {
  readonly negative: boolean
  readonly digits: string
  readonly exponent: number
}

const numeral = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i

/** Whether a name is a decimal number that a double can be near to. */
export function isNumeral(name: string): boolean {
  return numeral.test(name) && Number.isFinite(Number(name)) && name.trim() !== ''
}

/** Negative if `a` is the smaller number, 0 if both are the same. Both are numerals. */
export function compareNumerals(a: string, b: string): number {
  const difference = Number(a) - Number(b)
  if (difference !== 0 || a === b) return difference
  return compareDecimals(parseDecimal(a), parseDecimal(b))
}

function compareDecimals(a: Decimal, b: Decimal): number {
  const [signA, signB] = [signOf(a), signOf(b)]
  if (signA !== signB || signA === 0) return signA - signB
  const larger = a.exponent === b.exponent ? compareText(a.digits, b.digits) : a.exponent - b.exponent
  return signA * larger
}

/** Digits behind the point compare as texts do: 0.12 < 0.123 < 0.13. */
function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function signOf({ negative, digits }: Decimal): number {
  if (digits === '') return 0
  return negative ? -1 : 1
}

function parseDecimal(name: string): Decimal {
  const [, sign, whole = '', fraction = '', power = '0'] = numeral.exec(name) ?? []
  const all = whole + fraction
  const first = all.search(/[1-9]/)
  if (first < 0) return { negative: false, digits: '', exponent: 0 }
  let end = all.length
  while (all[end - 1] === '0') end--
  return { negative: sign === '-', digits: all.slice(first, end), exponent: whole.length - first + Number(power) }
}
