// Numbers as keys and labels. JSON.parse makes doubles of them, and 9007199254740993 would become …992, the key of another
// row. So a key, label or text that is a number of more than 15 digits is kept as it is written.

const [quoteMark, backslash, minus, zero, nine] = [34, 92, 45, 48, 57]
/** A double holds every decimal number of this many digits. */
const exactDigits = 15
const longNumber = /[\d.]{16,}/

/** Whether `source` may contain a number that JSON.parse would round. */
export function hasLongNumber(source: string): boolean {
  return longNumber.test(source)
}

/** JSON in which the numbers of more than 15 digits are strings. */
export function quoteLongNumbers(json: string): string {
  let quoted = ''
  let copied = 0
  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at)
    if (code === quoteMark) at = stringEnd(json, at)
    else if (code === minus || isDigit(code)) {
      const end = numberEnd(json, at)
      if (countDigits(json, at, end) > exactDigits) {
        quoted += `${json.slice(copied, at)}"${json.slice(at, end)}"`
        copied = end
      }
      at = end
    } else at++
  }
  return quoted + json.slice(copied)
}

/** Where the string that begins at `start` ends: behind the first quote with an even number of backslashes before it. */
function stringEnd(json: string, start: number): number {
  let at = start + 1
  for (;;) {
    const end = json.indexOf('"', at)
    if (end < 0) return json.length
    let slashes = end
    while (json.charCodeAt(slashes - 1) === backslash) slashes--
    if ((end - slashes) % 2 === 0) return end + 1
    at = end + 1
  }
}

function numberEnd(json: string, start: number): number {
  let end = start + 1
  while (end < json.length && '0123456789.eE+-'.includes(json[end])) end++
  return end
}

/** Digits of the number in [start, end) that count: none of its exponent, no zeros in front. */
function countDigits(json: string, start: number, end: number): number {
  let digits = 0
  for (let at = start; at < end; at++) {
    const code = json.charCodeAt(at)
    if (code === 101 || code === 69) break // e, E
    if (isDigit(code) && (digits > 0 || code !== zero)) digits++
  }
  return digits
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine
}
