// Mulan's label file: XML that lists the label attributes of an ARFF file, `<labels><label name="…"/>…</labels>`.
// Labels may be nested to form a hierarchy; here all of them are labels. Read in one pass, without patterns that look ahead:
// they take quadratic time on files that open many comments or tags and close none.

import { EngineError } from '../../errors.ts'
import { checkCount, maxLabels, shorten } from '../limits.ts'
import { firstRepeated } from '../rows/repeated.ts'

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
const maxCodePoint = 0x10ffff

/** The names in a label file, in its order. */
export function parseLabelXml(xml: string, file: string): string[] {
  const names: string[] = []
  let hasRoot = false
  for (const { name, attributes } of tags(xml, file)) {
    hasRoot ||= name === 'labels'
    if (name !== 'label') continue
    checkCount('labels', names.length + 1, maxLabels, { file })
    names.push(decodeEntities(nameOf(attributes, file)))
  }
  const twice = firstRepeated(names)
  if (hasRoot && names.length > 0 && twice === undefined) return names
  throw badXml(twice === undefined ? 'lists no labels' : `lists label "${shorten(twice)}" twice`, file)
}

interface Tag {
  readonly name: string
  /** Everything between the name and the closing bracket. */
  readonly attributes: string
}

const tagName = /[^\s/>]*/y

/** The opening tags, in order; comments are passed over. */
function* tags(xml: string, file: string): Generator<Tag> {
  let at = xml.indexOf('<')
  while (at >= 0) {
    const comment = xml.startsWith('<!--', at)
    const end = comment ? xml.indexOf('-->', at + 4) : tagEnd(xml, at + 1)
    if (end < 0) throw badXml(`${comment ? 'opens a comment' : 'opens a tag'} and never closes it`, file)
    if (!comment) {
      tagName.lastIndex = at + 1
      const name = tagName.exec(xml)?.[0] ?? ''
      yield { name, attributes: xml.slice(at + 1 + name.length, end) }
    }
    at = xml.indexOf('<', end)
  }
}

/** Where the tag ends: `>` may also occur in a quoted value. */
function tagEnd(xml: string, start: number): number {
  for (let at = start; at < xml.length; at++) {
    if (xml[at] === '>') return at
    if (xml[at] !== '"' && xml[at] !== "'") continue
    at = xml.indexOf(xml[at], at + 1)
    if (at < 0) return -1
  }
  return -1
}

// One attribute. No part can begin where the previous one could continue, so the pattern never backtracks.
const attribute = /\s*([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y

function nameOf(attributes: string, file: string): string {
  attribute.lastIndex = 0
  for (let match = attribute.exec(attributes); match; match = attribute.exec(attributes)) {
    if (match[1] === 'name') return match[2] ?? match[3]
  }
  throw badXml(`has a label without a name: <label${shorten(attributes)}>`, file)
}

function badXml(what: string, file: string): EngineError {
  return new EngineError('BAD_DATA', `the label file ${what}, expected <labels><label name="…"/> …</labels>`, {
    where: { file },
    hint: 'Fix the file, or give another one as `labelXml`.',
  })
}

/** Entities that are not known stay as they are written. */
function decodeEntities(value: string): string {
  return value.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return entities.get(name) ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= maxCodePoint ? String.fromCodePoint(code) : whole
  })
}
