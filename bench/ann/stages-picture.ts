// The picture of the stages: a bar for each set, in the order of the stages, each as wide as its share of the time.

import { stages } from './stages.ts'

export interface Bar {
  readonly set: string
  readonly shares: readonly number[]
}

const ink = '#767c85'
const colors = ['#3b82f6', '#0c8599', '#a855f7', '#d6336c', '#e8590c', '#2b9a66', '#868e96']
const [left, width, barHeight] = [120, 600, 34]

export function stagesPicture(title: string, bars: readonly Bar[]): string {
  const legendTop = 56 + bars.length * 52
  const height = legendTop + Math.ceil(stages.length / 2) * 22 + 8
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 ${height}" width="760" height="${height}" ` +
      `font-family="system-ui, sans-serif" font-size="12" fill="${ink}" role="img">`,
    `<title>${title}</title>`,
    `<text x="380" y="24" text-anchor="middle" font-size="15" font-weight="600">${title}</text>`,
    ...bars.flatMap((bar, i) => barLines(bar, 44 + i * 52)),
    ...stages.flatMap(({ name }, i) => legendLines(name, i, legendTop)),
    '</svg>',
  ]
  return lines.map(line => `${line}\n`).join('')
}

function barLines({ set, shares }: Bar, top: number): string[] {
  const middle = top + barHeight / 2 + 4
  const lines = [`<text x="${left - 10}" y="${middle}" text-anchor="end">${set}</text>`]
  let x = left
  shares.forEach((share, i) => {
    const wide = share * width
    lines.push(`<rect x="${tenth(x)}" y="${top}" width="${tenth(wide)}" height="${barHeight}" fill="${colors[i]}"/>`)
    if (wide > 26)
      lines.push(
        `<text x="${tenth(x + wide / 2)}" y="${middle}" text-anchor="middle" fill="#fff">${Math.round(share * 100)} %</text>`,
      )
    x += wide
  })
  return lines
}

/** Two columns. */
function legendLines(name: string, i: number, top: number): string[] {
  const half = Math.ceil(stages.length / 2)
  const [x, y] = [left + (i >= half ? 310 : 0), top + (i % half) * 22]
  return [
    `<rect x="${x}" y="${y}" width="12" height="12" rx="2" fill="${colors[i]}"/>`,
    `<text x="${x + 20}" y="${y + 10.5}">${name}</text>`,
  ]
}

const tenth = (value: number) => Math.round(value * 10) / 10
