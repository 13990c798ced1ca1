// Numbers as people read them: 589,926 rows, 1.21 MB, 0.019 %. The same on every machine, in every language.

import { formatCount, formatCountOf } from '@vicinal/core/internals'

export { formatCount, formatCountOf }

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const measured = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 })
const byteUnits = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** '1 memory', '589,926 memories'. */
export function formatMemories(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'memory' : 'memories'}`
}

/** A measured number, to three digits if it has a fraction: '12.4', '0.019', '1,234'. */
export function formatNumber(value: number): string {
  return (Math.abs(value) >= 999.5 ? whole : measured).format(value)
}

/** A part of a whole: '33.9 %'. 0 of 0 is 0 %. */
export function formatShare(part: number, all: number): string {
  return `${formatNumber(all === 0 ? 0 : (100 * part) / all)} %`
}

/** '1.21 MB': decimal units, as disks have them. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000
    unit++
  }
  return `${formatNumber(value)} ${byteUnits[unit]}`
}

/** A time to wait: '8 s', '2 min 05 s', '1 h 20 min'. */
export function formatWait(seconds: number): string {
  const rounded = Math.ceil(seconds)
  if (rounded < 60) return `${rounded} s`
  const [unit, smaller, parts] = rounded < 3600 ? ['min', 's', rounded] : ['h', 'min', Math.ceil(rounded / 60)]
  return `${Math.floor(parts / 60)} ${unit} ${String(parts % 60).padStart(2, '0')} ${smaller}`
}
