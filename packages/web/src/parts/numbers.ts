// Numbers as people read them.

const whole = new Intl.NumberFormat('en')

export function count(value: number, one: string, many = `${one}s`): string {
  return `${whole.format(value)} ${value === 1 ? one : many}`
}

export function grouped(value: number): string {
  return whole.format(value)
}

/** '0.42'; small ones keep a digit that says something. */
export function decimal(value: number): string {
  if (value !== 0 && Math.abs(value) < 0.01) return value.toPrecision(1)
  const size = Math.abs(value)
  return size < 10 ? value.toFixed(2) : size < 100 ? value.toFixed(1) : whole.format(Math.round(value))
}

export function percent(value: number): string {
  return `${(100 * value).toFixed(value > 0 && value < 0.1 ? 1 : 0)} %`
}

export function bytes(value: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB']
  const place = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)))
  const scaled = value / 1000 ** place
  return `${place === 0 || scaled >= 100 ? Math.round(scaled) : scaled.toFixed(1)} ${units[place]}`
}

export function micros(value: number): string {
  return value < 1000 ? `${value < 10 ? value.toFixed(1) : Math.round(value)} µs` : `${(value / 1000).toFixed(1)} ms`
}

/** 'just now', '5 min ago', 'yesterday' … */
export function ago(at: number, now = Date.now()): string {
  const seconds = Math.max(0, (now - at) / 1000)
  if (seconds < 45) return 'just now'
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min ago`
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h ago`
  return new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' })
}
