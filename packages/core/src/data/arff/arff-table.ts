// What the rows of an ARFF file are collected into: each attribute is a feature, a label or a text.
// Invariant: attributes are added in ascending order, in a dense file every one of them.

import type { LineBlock } from '../bytes/lines.ts'
import type { Dataset } from '../dataset.ts'
import { shorten } from '../limits.ts'
import { DenseRowBuilder, LabelRows, SparseRows } from '../rows/row-builder.ts'
import { StringList } from '../rows/string-list.ts'
import { type Attribute, attributeValue, unquote } from './arff-attribute.ts'

type Role = 'feature' | 'label' | 'text'

export class ArffTable {
  readonly attributes: readonly Attribute[]
  readonly #roles: readonly Role[]
  /** Which feature, label or text each attribute is. */
  readonly #columns: readonly number[]
  readonly #features: SparseRows | DenseRowBuilder
  readonly #labels = new LabelRows()
  readonly #textNames: readonly string[]
  readonly #texts: StringList
  #rowTexts: string[] = []

  /** `labels` are the names of the label attributes. */
  constructor(file: string, attributes: readonly Attribute[], labels: ReadonlySet<string>, sparse: boolean) {
    this.#texts = new StringList(file)
    this.attributes = attributes
    this.#roles = attributes.map(attribute => roleOf(attribute, labels))
    const next = { feature: 0, label: 0, text: 0 }
    this.#columns = this.#roles.map(role => next[role]++)
    this.#textNames = this.#named('text')
    this.#features = sparse ? new SparseRows() : new DenseRowBuilder()
  }

  /** Takes attribute `a` of the row being read from bytes [start, end) of the block's line. */
  add(block: LineBlock, a: number, start: number, end: number): void {
    const role = this.#roles[a]
    if (role === 'text') {
      this.#rowTexts.push(unquote(block.text(start, end)))
      return
    }
    const value = attributeValue(block, this.attributes[a], start, end)
    if (role === 'feature') this.#features.add(this.#columns[a], value)
    else if (value === 1) this.#labels.add(this.#columns[a])
    else if (value !== 0)
      throw block.error(`label ${shorten(this.attributes[a].name)} is ${value}, expected 0 or 1`, start)
  }

  endRow(block: LineBlock): void {
    const missing = this.#textNames[this.#rowTexts.length]
    if (missing !== undefined)
      throw block.error(`the row leaves out the string attribute ${shorten(missing)}, expected a value`)
    if (this.#rowTexts.length > 0) this.#texts.push(this.#rowTexts.join('\n'))
    this.#rowTexts = []
    this.#features.endRow()
    this.#labels.endRow()
  }

  dropRow(): void {
    this.#rowTexts = []
    this.#features.dropRow()
    this.#labels.dropRow()
  }

  finish(name: string): Dataset {
    const featureNames = this.#named('feature')
    const labelNames = this.#named('label')
    return {
      name,
      rows: this.#features.rows,
      features: this.#features.finish(featureNames.length),
      featureNames,
      ...(labelNames.length > 0 && { labels: this.#labels.finish(labelNames.length), labelNames }),
      ...(this.#textNames.length > 0 && { texts: this.#texts.items, columns: { text: this.#textNames } }),
    }
  }

  #named(role: Role): string[] {
    return this.attributes.filter((_, a) => this.#roles[a] === role).map(attribute => attribute.name)
  }
}

function roleOf({ name, kind }: Attribute, labels: ReadonlySet<string>): Role {
  if (labels.has(name)) return 'label'
  return kind === 'text' ? 'text' : 'feature'
}
