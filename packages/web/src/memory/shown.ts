// Keys and values of memories as text.

/** Texts as they are, vectors shortened, other JSON in one line. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(one => typeof one === 'number') && value.length > 6) {
    return `[${value.slice(0, 4).join(', ')}, … ${value.length} numbers]`
  }
  if (typeof value === 'object' && value !== null && 'text' in value) return String(value.text)
  const fields = value as Record<string, unknown> | null
  if (fields && !Array.isArray(fields) && typeof fields === 'object') {
    return Object.entries(fields)
      .map(([name, one]) => `${name}: ${typeof one === 'string' ? one : JSON.stringify(one)}`)
      .join(', ')
  }
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
