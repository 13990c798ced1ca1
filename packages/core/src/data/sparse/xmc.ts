// The text format of the Extreme Classification Repository: a header `rows features labels`, then one row per line,
// `label,label index:value index:value …`, all numbered from 0. A row without labels begins with a space.
// Writing leaves out ids, texts and names: the format has no place for them.

import { EngineError } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import { maxEntries } from '../../matrix/checks.ts'
import { type LineBlock, readLines } from '../bytes/lines.ts'
import { parseWhole, quote, wholeError } from '../bytes/numbers.ts'
import { comma, findByte, wordEnd, wordStart } from '../bytes/words.ts'
import { featuresOf, pairsText, writeLines } from '../bytes/write-lines.ts'
import type { Dataset } from '../dataset.ts'
import type { Format, Input, Output, ReadOptions } from '../format.ts'
import { checkCount, maxFeatures, maxLabels } from '../limits.ts'
import { BadRows } from '../rows/bad-rows.ts'
import { readPairs } from '../rows/index-value-pairs.ts'
import { LabelRows, SparseRows } from '../rows/row-builder.ts'
import { checkLabelNames } from '../write-checks.ts'

export const xmc: Format = {
  name: 'xmc',
  title: 'Extreme Classification Repository text: a header `rows features labels`, then `label,label index:value …`',
  extensions: ['xmc', 'txt'],
  recognize: head => /^(ï»¿)?[ \t]*\d+[ \t]+\d+[ \t]+\d+[ \t]*(\r?\n|$)/.test(latin1.decode(head.subarray(0, 100))),
  read,
  write,
}

const latin1 = new TextDecoder('latin1')
const headerHint = 'XMC files begin with a line `rows features labels`, such as `15539 101938 30938`.'

async function read(input: Input, options: ReadOptions): Promise<Dataset> {
  let reader: XmcReader | undefined
  for await (const block of readLines(input, options)) {
    if (!reader && block.next()) reader = new XmcReader(readHeader(block), options)
    while (block.next()) reader?.readLine(block)
  }
  if (!reader) {
    const where = { file: input.name, line: 1 }
    throw new EngineError('BAD_DATA', 'the file is empty, expected a header line', { where, hint: headerHint })
  }
  return reader.finish(input.name)
}

interface Header {
  readonly rows: number
  readonly features: number
  readonly labels: number
}

function readHeader(block: LineBlock): Header {
  const { bytes, end } = block
  const sizes: number[] = []
  let at = wordStart(bytes, block.start, end)
  while (at < end) {
    const stop = wordEnd(bytes, at, end)
    const size = parseWhole(bytes, at, stop)
    if (size < 0 || sizes.length === 3) throw headerError(block, at)
    sizes.push(size)
    at = wordStart(bytes, stop, end)
  }
  if (sizes.length < 3) throw headerError(block, end)
  const [rows, features, labels] = sizes
  checkCount('rows in the header', rows, maxEntries, block.place())
  checkCount('features in the header', features, maxFeatures, block.place())
  checkCount('labels in the header', labels, maxLabels, block.place())
  return { rows, features, labels }
}

function headerError(block: LineBlock, at: number): EngineError {
  const found = quote(block.bytes, block.start, block.end)
  return block.error(`the header is ${found}, expected three whole numbers: rows, features, labels`, at, headerHint)
}

class XmcReader {
  readonly #header: Header
  readonly #features = new SparseRows()
  readonly #labels = new LabelRows()
  readonly #bad: BadRows
  readonly #rules: { base: 0; columns: number }
  #lastLine = 1

  constructor(header: Header, options: ReadOptions) {
    this.#header = header
    this.#rules = { base: 0, columns: header.features }
    this.#bad = new BadRows(options)
  }

  readLine(block: LineBlock): void {
    this.#lastLine = block.line
    if (this.#features.rows + this.#bad.count === this.#header.rows) {
      if (block.start === block.end) return // empty lines at the end
      throw block.error(`a row too many: the header promises ${this.#header.rows} rows`, block.start, headerHint)
    }
    try {
      const labelsEnd = this.#readLabels(block)
      readPairs(block, labelsEnd, block.end, this.#rules, this.#features)
      this.#features.endRow()
      this.#labels.endRow()
    } catch (error) {
      this.#features.dropRow()
      this.#labels.dropRow()
      this.#bad.add(block.line, error)
    }
  }

  finish(name: string): Dataset {
    const { rows, features, labels } = this.#header
    const found = this.#features.rows + this.#bad.count
    if (found < rows) {
      throw new EngineError('BAD_DATA', `the file ends after ${found} rows, the header promises ${rows}`, {
        where: { file: name, line: this.#lastLine },
        hint: 'Is the file complete? If it is, correct its first line.',
      })
    }
    return {
      name,
      rows: this.#features.rows,
      features: this.#features.finish(features),
      labels: this.#labels.finish(labels),
      ...this.#bad.asField(),
    }
  }

  /** Reads `label,label` at the beginning of the line; returns where it ends. */
  #readLabels(block: LineBlock): number {
    const { bytes, start } = block
    if (start === block.end) {
      throw block.error('the line is empty, expected a row', start, 'A row without labels begins with a space.')
    }
    const end = wordEnd(bytes, start, block.end)
    let at = start
    while (at < end) {
      const stop = findByte(bytes, comma, at, end)
      this.#addLabel(block, at, stop)
      at = stop + 1
    }
    if (at === end && start < end) throw block.error('a label is missing after the comma', end)
    const twice = this.#labels.sortRow()
    if (twice >= 0) throw block.error(`label ${twice} appears twice, expected each label once`, start)
    return end
  }

  #addLabel(block: LineBlock, start: number, end: number): void {
    const label = parseWhole(block.bytes, start, end)
    if (label < 0) throw wholeError(block, start, end, 'the label', 'A row without labels begins with a space.')
    const { labels } = this.#header
    if (label >= labels) {
      const allowed = labels === 0 ? 'no labels' : `labels from 0 to ${labels - 1}`
      throw block.error(`label ${label} is out of range, expected ${allowed}`, start)
    }
    this.#labels.add(label)
  }
}

async function write(dataset: Dataset, output: Output, options: LongWork): Promise<void> {
  const features = featuresOf(dataset, 'xmc')
  const { labels } = dataset
  checkLabelNames({ name: dataset.name, rows: dataset.rows, ...(labels && { labels }) }, 'xmc', () => true)
  await output.write(`${dataset.rows} ${features.columns} ${labels?.columns ?? 0}\n`)
  const line = (i: number) => `${labels?.row(i).join(',') ?? ''} ${pairsText(features, i, 0)}`
  await writeLines(dataset.rows, line, output, options)
}
