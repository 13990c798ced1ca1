// Which names fit on a map without covering each other: the wanted ones first, then those of large dots.

export interface Dot {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly r: number
  readonly isWanted: boolean
}

export interface PlacedName {
  readonly text: string
  readonly x: number
  readonly y: number
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** A letter's mean width and a line's height, in units of the drawing. */
const [letter, line] = [6.6, 15]

export function placeNames(
  dots: readonly Dot[],
  { width, height, most }: { width: number; height: number; most: number },
): PlacedName[] {
  const order = [...dots].sort((a, b) => Number(b.isWanted) - Number(a.isWanted) || b.r - a.r)
  const taken: Box[] = []
  const placed: PlacedName[] = []
  for (const { text, x, y, r } of order) {
    if (placed.length >= most) break
    const name = shortened(text)
    const long = name.length * letter
    // Right of the dot, or left of it where the drawing ends.
    const left = x + r + 4 + long > width ? x - r - 4 - long : x + r + 4
    const box = { left, right: left + long, top: y - line / 2, bottom: y + line / 2 }
    if (box.left < 0 || box.top < 0 || box.bottom > height || taken.some(other => overlap(box, other))) continue
    taken.push(box)
    placed.push({ text: name, x: left, y: y + 4 })
  }
  return placed
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

/** URIs are told apart by their ends. */
function shortened(text: string): string {
  if (text.length <= 28) return text
  return /^https?:/.test(text) ? `…${text.slice(-27)}` : `${text.slice(0, 27)}…`
}
