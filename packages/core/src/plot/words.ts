// Counts and names as pictures and terminals show them: the same on every machine, in every language, and always on one line.

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** A whole number with its thousands set apart: '589,926'. */
export function formatCount(count: number): string {
  return whole.format(count)
}

/** A count and its noun: '1 row', '589,926 rows'. */
export function formatCountOf(count: number, singular: string): string {
  return `${formatCount(count)} ${count === 1 ? singular : `${singular}s`}`
}

/** The text with line breaks and control characters made harmless. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ').replace(/\p{Cc}/gu, '\ufffd')
}

/** At most `width` characters, the last of them an ellipsis if something was cut. */
export function shorten(text: string, width: number): string {
  const characters = [...text]
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`
}
