import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { breadAndShips, fullTree, leaf, split } from './tree.cases.ts'
import { treeSvg } from './tree-svg.ts'

const sizeOf = (svg: string) => /viewBox="0 0 (\S+) (\S+)"/.exec(svg)?.slice(1).map(Number)
const count = (svg: string, pattern: RegExp) => svg.match(pattern)?.length ?? 0

describe('treeSvg', () => {
  it('draws boxes, edges and what they mean', () => {
    expect(treeSvg(breadAndShips, { title: 'T' })).toMatchInlineSnapshot(`
      "<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 632 412" width="632" height="412" font-family="system-ui, sans-serif" font-size="12" fill="#767c85" role="img">
      <title>T</title>
      <text x="316" y="24" text-anchor="middle" font-size="15" font-weight="600">T</text>
      <g transform="translate(16 48)">
      <path d="M100 132V108H400V132M250 84V108" fill="none" stroke="#767c85" stroke-opacity="0.5"/>
      <text x="102" y="103" font-size="10" fill="#3b82f6">below 0.25</text>
      <text x="398" y="103" font-size="10" text-anchor="end" fill="#e8590c">at least 0.25</text>
      <path d="M300 264V223H500V264M400 182V223" fill="none" stroke="#767c85" stroke-opacity="0.5"/>
      <text x="302" y="218" font-size="10" fill="#3b82f6">below -0.5</text>
      <text x="498" y="218" font-size="10" text-anchor="end" fill="#e8590c">at least -0.5</text>
      <g>
      <title>1,207 rows
      ships: 0.8
      baking: -0.5
      bread: -0.25
      1 more feature</title>
      <rect x="162" y="0" width="176" height="84" rx="4" fill="#767c85" fill-opacity="0" stroke="#767c85" stroke-opacity="0.5"/>
      <text x="250" y="20" text-anchor="middle" font-weight="600">1,207 rows</text>
      <text x="328" y="37" text-anchor="end" fill="#e8590c">ships →</text>
      <text x="172" y="54" fill="#3b82f6">← baking</text>
      <text x="172" y="71" fill="#3b82f6">← bread</text>
      </g>
      <g>
      <title>4 rows
      cooking: 4</title>
      <rect x="12" y="132" width="176" height="50" rx="4" fill="#767c85" fill-opacity="0.1" stroke="#767c85" stroke-opacity="0.5"/>
      <text x="100" y="152" text-anchor="middle" font-weight="600">4 rows</text>
      <text x="22" y="169">cooking</text>
      <text x="178" y="169" text-anchor="end">4</text>
      </g>
      <g>
      <title>1,203 rows
      sea: -1</title>
      <rect x="312" y="132" width="176" height="50" rx="4" fill="#767c85" fill-opacity="0" stroke="#767c85" stroke-opacity="0.5"/>
      <text x="400" y="152" text-anchor="middle" font-weight="600">1,203 rows</text>
      <text x="322" y="169" fill="#3b82f6">← sea</text>
      </g>
      <g>
      <title>1,200 rows
      baltic: 1,200
      birds: 2</title>
      <rect x="212" y="264" width="176" height="67" rx="4" fill="#767c85" fill-opacity="0.1" stroke="#767c85" stroke-opacity="0.5"/>
      <text x="300" y="284" text-anchor="middle" font-weight="600">1,200 rows</text>
      <text x="222" y="301">baltic</text>
      <text x="378" y="301" text-anchor="end">1,200</text>
      <text x="222" y="318">birds</text>
      <text x="378" y="318" text-anchor="end">2</text>
      </g>
      <g>
      <title>3 rows
      shipping: 3
      harbors: 2
      fish: 1</title>
      <rect x="412" y="264" width="176" height="84" rx="4" fill="#767c85" fill-opacity="0.1" stroke="#767c85" stroke-opacity="0.5"/>
      <text x="500" y="284" text-anchor="middle" font-weight="600">3 rows</text>
      <text x="422" y="301">shipping</text>
      <text x="578" y="301" text-anchor="end">3</text>
      <text x="422" y="318">harbors</text>
      <text x="578" y="318" text-anchor="end">2</text>
      <text x="422" y="335">fish</text>
      <text x="578" y="335" text-anchor="end">1</text>
      </g>
      </g>
      </svg>
      "
    `)
  })

  it('draws a tree that is one leaf', () => {
    const svg = treeSvg(leaf(['a', 1]))
    expect(count(svg, /<rect/g)).toBe(1)
    expect(svg).toContain('>1 row</text>')
    expect(svg).not.toContain('<path')
  })

  it('grows with the shown leaves, not with the tree', () => {
    const [width = 0] = sizeOf(treeSvg(fullTree(3), { mostLevels: 3 })) ?? []
    const [wider = 0] = sizeOf(treeSvg(fullTree(4), { mostLevels: 4 })) ?? []
    expect(wider).toBeGreaterThan(1.8 * width)
    expect(sizeOf(treeSvg(fullTree(7), { mostLevels: 3 }))).toEqual(sizeOf(treeSvg(fullTree(3), { mostLevels: 3 })))
  })

  it('has room for a title that is wider than the tree', () => {
    const [width = 0] = sizeOf(treeSvg(leaf(['a', 1]), { title: 'a title of many words '.repeat(3) })) ?? []
    expect(width).toBeGreaterThan(66 * 7)
  })
})

describe('a large tree', () => {
  it('is cut below four levels where nobody says how many, with stacks for what is below', () => {
    const svg = treeSvg(fullTree(6))
    expect(count(svg, /<rect/g)).toBe(1 + 2 + 4 + 8)
    expect(count(svg, />… 4 leaves, 4 rows<\/text>/g)).toBe(8)
    expect(count(svg, /v4h176v-50h-4"/g)).toBe(2 * 8) // two more cards a stack
  })

  it('is not cut where it ends with the last level', () => {
    expect(treeSvg(fullTree(4))).not.toContain('…')
    expect(count(treeSvg(fullTree(4)), /v4h176v/g)).toBe(0)
  })

  it('squeezes a heading rather than lose digits', () => {
    const many = { rows: 1_234_567, labels: [] }
    const svg = treeSvg({ ...split({ x: 1 }, 0, many, many), rows: 1_234_567 }, { mostLevels: 1 })
    expect(svg).toMatch(/ textLength="156" lengthAdjust="spacingAndGlyphs">… 2 leaves, 1,234,567 rows<\/text>/)
  })
})

describe('a long text', () => {
  const name = 'the cultivation of mushrooms in northern forests'

  it('is shortened, and whole where the mouse rests', () => {
    const svg = treeSvg(split({ [name]: -1 }, 0, leaf([name, 12]), leaf(['b', 1])))
    expect(svg).toContain('>← the cultivation of…</text>')
    expect(svg).toContain('>the cultivation o…</text>')
    expect(svg).toContain(`<title>13 rows\n${name}: -1</title>`)
    expect(svg).toContain(`<title>12 rows\n${name}: 12</title>`)
  })

  it('is shortened sooner where its characters are wide', () => {
    expect(treeSvg(leaf(['東'.repeat(30), 1]))).toMatch(/>東{10}…<\/text>/)
  })
})

describe('any text', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map(codes => String.fromCharCode(...codes)),
    fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", ']', '\0', '\ud800', '\udc00', '\uffff', '\n') }),
  )

  it('leaves the picture valid XML', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (label, feature, title) => {
        const svg = treeSvg(split({ [feature]: -1 }, 0, leaf([label, 1]), leaf([label, 2])), { title })
        expect(xmlFaults(svg)).toEqual([])
      }),
    )
  })

  it('stays text', () => {
    expect(treeSvg(leaf(['<b> & "c"\u0001\ud800', 1]))).toContain('>&lt;b&gt; &amp; &quot;c&quot;\ufffd\ufffd</text>')
  })

  it('is checked by a test that can tell', () => {
    expect(xmlFaults('<a><b x="1"/>&amp;</a>')).toEqual([])
    expect(xmlFaults('<a><b></a>')).toEqual(['</a> after <b>', 'open: a b'])
    expect(xmlFaults('<a>&</a>')).toEqual(['text: &'])
    expect(xmlFaults('<a>\ud800</a>')).toEqual(['text: \ud800'])
    expect(xmlFaults('<a>< </a>')).toEqual(['text: < '])
  })
})

it('fetches nothing and brings no font', () => {
  const svg = treeSvg(breadAndShips, { title: 'T' })
  expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/http|url\(|@import|@font-face/)
})

const tag = /(<\/?\w+(?: [\w-]+="[^"<&]*")*\/?>)/
const allowedText =
  /^(?:[\t\n\r\u0020-\u0025\u0027-\u003b\u003d-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]|&(?:amp|lt|gt|quot);)*$/u

/** What an XML parser would complain about, for elements with plain attributes, entities and text. */
function xmlFaults(xml: string): string[] {
  const faults: string[] = []
  const open: string[] = []
  for (const part of xml.split(tag)) {
    const [, slash, name = '', empty] = /^<(\/?)(\w+).*?(\/?)>$/s.exec(tag.test(part) ? part : '') ?? []
    if (name === '' && !allowedText.test(part)) faults.push(`text: ${part}`)
    if (name === '' || empty) continue
    if (!slash) open.push(name)
    else if (open.at(-1) === name) open.pop()
    else faults.push(`</${name}> after <${open.at(-1)}>`)
  }
  return open.length > 0 ? [...faults, `open: ${open.join(' ')}`] : faults
}
