// What our SVG pictures have in common: their frame, colors and texts. They have no background and only colors of
// middling lightness, so that they read on light pages and on dark ones.

export type Point = readonly [x: number, y: number]

export const ink = '#767c85'
const colors = ['#3b82f6', '#e8590c', '#2b9a66', '#a855f7', '#d6336c', '#0c8599', '#b08800', '#868e96'] as const

export function colorOf(number: number): string {
  return colors[number % colors.length]!
}

/** The picture's text, ending with a line break; `parts` come below the title. */
export function svgPicture(title: string | undefined, width: number, height: number, parts: readonly string[]): string {
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
      `font-family="system-ui, sans-serif" font-size="12" fill="${ink}" role="img">`,
    ...(title === undefined ? [] : [svgTitle(title), titleText(title, width)]),
    ...parts,
    '</svg>',
  ]
  return lines.map(line => `${line}\n`).join('')
}

/** The tooltip that browsers show. */
export function svgTitle(content: string): string {
  return `<title>${escapeXml(content)}</title>`
}

export function svgText(content: string, [x, y]: Point, attributes = ''): string {
  return `<text x="${round(x)}" y="${round(y)}"${attributes && ` ${attributes}`}>${escapeXml(content)}</text>`
}

/** A tenth of a pixel is enough. */
export function round(value: number): number {
  return Math.round(value * 10) / 10
}

function titleText(title: string, width: number): string {
  return svgText(title, [width / 2, 24], 'text-anchor="middle" font-size="15" font-weight="600"')
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(content: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids these, and halves of surrogate pairs
  const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu
  return content.replace(forbidden, '\ufffd').replace(/[&<>"]/g, c => entities[c]!)
}
