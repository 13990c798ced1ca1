// Mulan's label file: XML that lists the label attributes of an ARFF file, `<labels><label name="…"/>…</labels>`.
// Labels may be nested to form a hierarchy; here all of them are labels.

import { EngineError } from '../../errors.ts'
import { firstRepeated } from '../rows/repeated.ts'

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The names in a label file, in its order. */
export function parseLabelXml(xml: string, file: string): string[] {
  const content = xml.replace(/<!--[\s\S]*?-->/g, '')
  const names = Array.from(content.matchAll(/<label\s[^>]*?\bname\s*=\s*(?:"([^"]*)"|'([^']*)')/g), match =>
    decodeEntities(match[1] ?? match[2]),
  )
  const twice = firstRepeated(names)
  if (/<labels[\s>]/.test(content) && names.length > 0 && twice === undefined) return names
  const found = twice === undefined ? 'lists no labels' : `lists label "${twice}" twice`
  throw new EngineError('BAD_DATA', `the label file ${found}, expected <labels><label name="…"/> …</labels>`, {
    where: { file },
    hint: 'Put right the file, or name another one with `labelNames`.',
  })
}

function decodeEntities(value: string): string {
  return value.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (decimal) return String.fromCodePoint(Number(decimal))
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16))
    return entities[name] ?? whole
  })
}
