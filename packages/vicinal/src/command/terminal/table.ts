// Plain text in aligned columns. Invariant: a row is always one line: a label's name may contain line
// breaks or the escape codes of a terminal, and neither may reach it.

import { oneLine, shorten } from '@vicinal/core/internals'

export { oneLine, shorten }

export type Align = 'left' | 'right'

/** One line per row, indented; columns are two spaces apart, each as wide as its widest cell. Default: aligned left. */
export function formatTable(rows: readonly (readonly string[])[], aligns: readonly Align[] = []): string {
  const lines = rows.map(cells => cells.map(oneLine))
  const columns = lines.reduce((most, { length }) => Math.max(most, length), 0)
  const widths = Array.from({ length: columns }, (_, j) =>
    lines.reduce((widest, cells) => Math.max(widest, displayWidth(cells[j] ?? '')), 0),
  )
  return lines
    .map(cells => cells.map((cell, j) => pad(cell, widths[j]!, aligns[j] ?? 'left')))
    .map(cells => `  ${cells.join('  ').trimEnd()}\n`)
    .join('')
}

function pad(cell: string, width: number, align: Align): string {
  const space = ' '.repeat(width - displayWidth(cell))
  return align === 'left' ? cell + space : space + cell
}

const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u

/** Columns on a terminal: combining marks take none, East Asian wide characters and emoji two. */
function displayWidth(text: string): number {
  let width = 0
  for (const character of text.replace(/\p{M}/gu, '')) width += wide.test(character) ? 2 : 1
  return width
}
