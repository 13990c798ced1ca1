import { describe, expect, it } from 'vitest'
import { svgPlot } from './svg-plot.ts'

const x = { label: 'recall' }
const y = { label: 'µs', scale: 'log' } as const

describe('svgPlot', () => {
  it('draws a line with its points, axes and legend', () => {
    const series = [
      {
        name: 'a',
        points: [
          [0, 1],
          [1, 10],
        ] as const,
      },
    ]
    expect(svgPlot({ title: 'T', x, y, series }, { width: 300, height: 200 })).toMatchInlineSnapshot(`
      "<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 200" width="300" height="200" font-family="system-ui, sans-serif" font-size="12" fill="#767c85" role="img">
      <title>T</title>
      <text x="150" y="24" text-anchor="middle" font-size="15" font-weight="600">T</text>
      <line x1="72" y1="66" x2="72" y2="144" stroke="#767c85" stroke-opacity="0.3"/>
      <text x="72" y="162" text-anchor="middle">0</text>
      <line x1="168" y1="66" x2="168" y2="144" stroke="#767c85" stroke-opacity="0.3"/>
      <text x="168" y="162" text-anchor="middle">0.5</text>
      <line x1="264" y1="66" x2="264" y2="144" stroke="#767c85" stroke-opacity="0.3"/>
      <text x="264" y="162" text-anchor="middle">1</text>
      <text x="168" y="186" text-anchor="middle">recall</text>
      <line x1="72" y1="144" x2="264" y2="144" stroke="#767c85" stroke-opacity="0.3"/>
      <text x="64" y="148" text-anchor="end">1</text>
      <line x1="72" y1="120.5" x2="264" y2="120.5" stroke="#767c85" stroke-opacity="0.3"/>
      <text x="64" y="124.5" text-anchor="end">2</text>
      <line x1="72" y1="89.5" x2="264" y2="89.5" stroke="#767c85" stroke-opacity="0.3"/>
      <text x="64" y="93.5" text-anchor="end">5</text>
      <line x1="72" y1="66" x2="264" y2="66" stroke="#767c85" stroke-opacity="0.3"/>
      <text x="64" y="70" text-anchor="end">10</text>
      <text x="18" y="105" text-anchor="middle" transform="rotate(-90 18 105)">µs</text>
      <polyline points="72,144 264,66" fill="none" stroke="#3b82f6" stroke-width="2"/>
      <circle cx="72" cy="144" r="4" fill="#3b82f6"/>
      <circle cx="264" cy="66" r="4" fill="#3b82f6"/>
      <circle cx="78" cy="48" r="4" fill="#3b82f6"/>
      <text x="90" y="52">a</text>
      </svg>
      "
    `)
  })

  it('draws every series in a form and a color of its own, two names a line', () => {
    const series = ['a', 'b', 'c', 'd', 'e'].map((name, i) => ({ name, points: [[i, i + 1]] as const }))
    const svg = svgPlot({ x, y, series })
    expect(svg.match(/<circle/g)).toHaveLength(4) // of the first and the fifth, each with a sign in the legend
    expect(svg.match(/<polygon/g)).toHaveLength(6)
    expect(new Set(svg.match(/fill="#[0-9a-f]{6}"\/>/g)).size).toBe(5)
    expect(svg.match(/<text x="\d+" y="(20|38|56)">[a-e]</g)).toHaveLength(5)
    expect(svg).not.toContain('<polyline')
  })

  it('keeps names from becoming markup', () => {
    const series = [{ name: 'a<b> & "c"\u0001', points: [[0, 1]] as const }]
    expect(svgPlot({ x, y, series })).toContain('>a&lt;b&gt; &amp; &quot;c&quot;\ufffd</text>')
  })

  it('fetches nothing and brings no font', () => {
    const svg = svgPlot({ x, y, series: [{ name: 'a', points: [[0, 1]] as const }] })
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/http|url\(|@import|@font-face/)
  })
})
