// Which attributes of an ARFF file are labels. In this order: the XML file that `labelXml` names; Mulan's XML next to
// the file (`x.xml`, also for `x-train.arff` and `x-test.arff`); Meka's `-C n` in the relation's name (the first n
// attributes, or the last -n). Otherwise there are none, and all attributes are features.
// The XML comes first: filtered files keep a `-C` that is no longer true.

import { EngineError } from '../../errors.ts'
import { openInput, readAll } from '../bytes/byte-source.ts'
import { text } from '../bytes/lines.ts'
import type { Input, ReadOptions } from '../format.ts'
import { shorten } from '../limits.ts'
import type { Attribute } from './arff-attribute.ts'
import type { ArffHeader } from './arff-header.ts'
import { parseLabelXml } from './label-xml.ts'

/** The names of the label attributes. */
export async function findLabels(header: ArffHeader, input: Input, options: ReadOptions): Promise<Set<string>> {
  const xml = await openLabelXml(input, options)
  const labels = xml ? await labelsOfXml(header, xml) : labelsOfRelation(header, input.name)
  for (const attribute of header.attributes) {
    if (labels.has(attribute.name)) checkLabel(attribute, input.name)
  }
  return labels
}

async function openLabelXml(input: Input, options: ReadOptions): Promise<Input | undefined> {
  const { labelXml, signal, maxUnpackedBytes } = options
  if (labelXml !== undefined) return openInput(labelXml, { signal, maxUnpackedBytes })
  const stem = input.name.replace(/^.*[\\/]/, '').replace(/(\.arff)?(\.gz)?$/i, '')
  const short = stem.replace(/-(train|test)$/i, '')
  return (await input.sibling(`${stem}.xml`)) ?? (short === stem ? undefined : input.sibling(`${short}.xml`))
}

async function labelsOfXml(header: ArffHeader, xml: Input): Promise<Set<string>> {
  const bytes = await readAll(xml)
  const names = parseLabelXml(text(bytes, 0, bytes.length, { file: xml.name }), xml.name)
  const known = new Set(header.attributes.map(attribute => attribute.name))
  const strange = names.find(name => !known.has(name))
  if (strange === undefined) return new Set(names)
  throw new EngineError('BAD_DATA', `label "${shorten(strange)}" is not an attribute of the ARFF file`, {
    where: { file: xml.name },
    hint: 'Name the right XML file with `labelXml`.',
  })
}

function labelsOfRelation({ relation, attributes }: ArffHeader, file: string): Set<string> {
  const written = /(?:^|[\s:'"])-C\s+([+-]?\d+)/.exec(relation)?.[1]
  const count = Number(written ?? 0)
  if (Math.abs(count) > attributes.length) {
    const message = `the relation line says -C ${shorten(written ?? '')}, but there are ${attributes.length} attributes`
    throw new EngineError('BAD_DATA', message, { where: { file } })
  }
  const labels = count >= 0 ? attributes.slice(0, count) : attributes.slice(count)
  return new Set(labels.map(attribute => attribute.name))
}

function checkLabel({ name, kind, values }: Attribute, file: string): void {
  if (kind === 'number' || values.size === 2) return
  const found = kind === 'text' ? 'a string' : `one of ${values.size} values`
  throw new EngineError(
    'BAD_DATA',
    `label attribute ${shorten(name)} is ${found}, expected 0 or 1, or one of two values`,
    {
      where: { file },
    },
  )
}
