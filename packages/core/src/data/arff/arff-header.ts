// The head of an ARFF file: `@relation`, then one `@attribute` per line, up to `@data`. Lines that begin with % are comments.

import type { LineBlock } from '../bytes/lines.ts'
import { checkCount, maxLabels, shorten } from '../limits.ts'
import { type Attribute, readAttribute } from './arff-attribute.ts'

export class ArffHeader {
  /** As written, quotes included. */
  relation = ''
  readonly attributes: Attribute[] = []
  readonly #names = new Set<string>()

  /** Reads one line; true when it was `@data`, so that rows follow. */
  readLine(block: LineBlock): boolean {
    const line = block.text().trimEnd()
    if (/^\s*(%|$)/.test(line)) return false
    const keyword = /^\s*@(\w+)/.exec(line)
    const rest = keyword?.[0].length ?? 0
    switch (keyword?.[1].toLowerCase()) {
      case 'relation':
        this.relation = line.slice(rest).trim()
        return false
      case 'attribute':
        this.#add(block, readAttribute(block, line, rest))
        return false
      case 'data':
        return true
      default:
        throw block.error('not an ARFF line, expected @relation, @attribute, @data or a comment (%)')
    }
  }

  #add(block: LineBlock, attribute: Attribute): void {
    if (this.#names.has(attribute.name)) throw block.error(`attribute ${shorten(attribute.name)} appears twice`)
    checkCount('attributes', this.attributes.length + 1, maxLabels, block.place())
    this.#names.add(attribute.name)
    this.attributes.push(attribute)
  }
}
