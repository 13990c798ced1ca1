// svmlight (libsvm) text: `label,label qid:n index:value … # comment`, features numbered from 1 unless `indexBase` is 0.
// The name of a label is its word in the file. Labels are numbered by value if all are numbers, otherwise in the order in which
// they appear. A row without labels begins with a blank or with its first pair. Query numbers (`qid`) are ignored.
// The largest index gives the number of features. Empty lines and lines with only a comment are not rows.

import { EngineError } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import { type LineBlock, readLines } from '../bytes/lines.ts'
import { parseWhole, quote, wholeError } from '../bytes/numbers.ts'
import { colon, findByte, wordEnd, wordStart } from '../bytes/words.ts'
import { featuresOf, labelsInRows, pairsText, writeLines, writtenWidth } from '../bytes/write-lines.ts'
import type { Dataset } from '../dataset.ts'
import type { Format, Input, Output, ReadOptions } from '../format.ts'
import { maxFeatures, shorten } from '../limits.ts'
import { BadRows } from '../rows/bad-rows.ts'
import { type PairRules, readPairs } from '../rows/index-value-pairs.ts'
import { NameTable } from '../rows/name-table.ts'
import { firstRepeated } from '../rows/repeated.ts'
import { LabelRows, SparseRows } from '../rows/row-builder.ts'
import { checkUntold, DeclaredLabels, findUntold } from '../rows/untold.ts'
import { checkLabelNames } from '../write-checks.ts'
import { compareNumerals, isNumeral } from './numeral-order.ts'

const hash = 35
/** How the line begins that we write in front of the rows (untold.ts). */
const front = '# vicinal '
const pattern = /^([^\s:#]*)(\s+qid:\d+|^qid:\d+)?((^|\s+)\d+:[-+.\deE]+)*\s*(#.*)?$/

export const svmlight: Format = {
  name: 'svmlight',
  title: 'svmlight (libsvm) text: `label,label index:value … # comment`, features numbered from 1',
  extensions: ['svmlight', 'libsvm', 'svm', 'txt'],
  recognize,
  read,
  write,
}

/** Whether the first complete lines all are rows, and one of them has a pair. */
function recognize(head: Uint8Array): boolean {
  const lines = new TextDecoder().decode(head).split(/\r?\n/)
  if (lines.length > 1) lines.pop() // it may be cut off
  const rows = lines.filter(line => line !== '' && !line.startsWith('#')).slice(0, 10)
  return rows.every(row => pattern.test(row)) && rows.some(row => /(^|\s)\d+:[-+.\d]/.test(row))
}

async function read(input: Input, options: ReadOptions): Promise<Dataset> {
  const reader = new SvmlightReader(options)
  for await (const block of readLines(input, options)) {
    while (block.next()) reader.readLine(block)
  }
  return reader.finish(input.name)
}

class SvmlightReader {
  readonly #features = new SparseRows()
  readonly #labels = new LabelRows()
  readonly #names = new NameTable()
  readonly #bad: BadRows
  #rules: PairRules
  #columns = 0
  #declared: DeclaredLabels | undefined

  constructor(options: ReadOptions) {
    this.#rules = { base: options.indexBase ?? 1, columns: maxFeatures }
    this.#bad = new BadRows(options)
  }

  readLine(block: LineBlock): void {
    const { bytes, start } = block
    if (block.line === 1) this.#readFront(block)
    const end = findByte(bytes, hash, start, block.end)
    const comment = end < block.end
    if (start === end || (comment && wordStart(bytes, start, end) === end)) return
    try {
      this.#readRow(block, end)
    } catch (error) {
      this.#features.dropRow()
      this.#labels.dropRow()
      this.#bad.add(block.line, error)
    }
  }

  /** Takes what we wrote in front of the rows, if the line is that comment. */
  #readFront(block: LineBlock): void {
    if (block.bytes[block.start] !== hash) return
    const comment = block.text()
    if (!comment.startsWith(front)) return
    const { features, labels } = checkUntold(parseFront(comment, block), block.place())
    if (features !== undefined) this.#rules = { ...this.#rules, columns: features }
    this.#columns = features ?? 0
    if (labels !== undefined) this.#declared = new DeclaredLabels(labels)
  }

  finish(name: string): Dataset {
    if (this.#declared) return this.#finishDeclared(name, this.#declared)
    const { names } = this.#names
    const order = labelOrder(names, name)
    const renumbered = new Uint32Array(names.length)
    order.forEach((label, place) => {
      renumbered[label] = place
    })
    return {
      name,
      rows: this.#features.rows,
      features: this.#features.finish(this.#columns),
      labels: this.#labels.finishRenumbered(renumbered),
      labelNames: order.map(label => names[label]),
      ...this.#bad.asField(),
    }
  }

  #finishDeclared(name: string, { names, count }: DeclaredLabels): Dataset {
    return {
      name,
      rows: this.#features.rows,
      features: this.#features.finish(this.#columns),
      labels: this.#labels.finish(count),
      ...(names && { labelNames: names }),
      ...this.#bad.asField(),
    }
  }

  #readRow(block: LineBlock, end: number): void {
    const { bytes, start } = block
    const firstEnd = wordEnd(bytes, start, end)
    const hasLabels = start < firstEnd && findByte(bytes, colon, start, firstEnd) === firstEnd
    const labels = hasLabels ? readLabels(block, firstEnd) : []
    const pairs = skipQueryNumber(block, hasLabels ? firstEnd : start, end)
    const last = readPairs(block, pairs, end, this.#rules, this.#features)
    const declared = this.#declared
    const numbers = declared && labels.map(label => declared.number(label, block.place()))
    // Only now, when nothing can be wrong any more: a row that is left out must not leave its labels behind.
    for (const label of numbers ?? labels.map(name => this.#names.number(name))) this.#labels.add(label)
    this.#labels.sortRow()
    this.#labels.endRow()
    this.#features.endRow()
    this.#columns = Math.max(this.#columns, last + 1)
  }
}

function parseFront(comment: string, block: LineBlock): unknown {
  try {
    return JSON.parse(comment.slice(front.length))
  } catch (cause) {
    const hint = 'Correct the comment, or remove it.'
    throw new EngineError('BAD_DATA', `the line begins with \`${front}\` but is not valid JSON`, {
      where: block.place(),
      cause,
      hint,
    })
  }
}

/** The line's first word, up to `end`, as label names. */
function readLabels(block: LineBlock, end: number): string[] {
  const labels = block.text(block.start, end).split(',')
  if (labels.includes('')) {
    throw block.error(`the labels are ${quote(block.bytes, block.start, end)}, expected names between commas`)
  }
  const twice = labels.length > 1 ? firstRepeated(labels) : undefined
  if (twice !== undefined) throw block.error(`label ${shorten(twice)} appears twice, expected each label once`)
  return labels
}

/** Where the pairs begin: after `qid:n`, if there is one. */
function skipQueryNumber(block: LineBlock, at: number, end: number): number {
  const { bytes } = block
  const start = wordStart(bytes, at, end)
  const isQuery = bytes[start] === 113 && bytes[start + 1] === 105 && bytes[start + 2] === 100 // qid
  if (!isQuery || bytes[start + 3] !== colon) return start
  const stop = wordEnd(bytes, start, end)
  if (parseWhole(bytes, start + 4, stop) < 0) throw wholeError(block, start + 4, stop, 'the query number (qid)')
  return stop
}

/** The labels in their order: by value if all names are numbers, otherwise as they are. */
function labelOrder(names: readonly string[], file: string): number[] {
  const order = Array.from(names, (_, label) => label)
  if (!names.every(isNumeral)) return order
  order.sort((a, b) => compareNumerals(names[a], names[b]))
  const same = order.findIndex((label, i) => i > 0 && compareNumerals(names[label], names[order[i - 1]]) === 0)
  if (same > 0) {
    const [a, b] = [names[order[same - 1]], names[order[same]]].map(name => shorten(name))
    throw new EngineError('BAD_DATA', `labels ${a} and ${b} are the same number, expected one spelling of it`, {
      where: { file },
      hint: 'Write the label the same way everywhere.',
    })
  }
  return order
}

/** Labels are written by name, or by number if they have no names. */
async function write(dataset: Dataset, output: Output, options: LongWork): Promise<void> {
  const features = featuresOf(dataset, 'svmlight')
  checkLabelNames(dataset, 'svmlight', isWord, 'A name there is one word without commas, colons and #.')
  const { labels, labelNames: names } = dataset
  const untold = findUntold(dataset, writtenWidth(features), toldLabels(dataset))
  if (untold) await output.write(`${front}${JSON.stringify(untold)}\n`)
  const labelsText = (i: number) => Array.from(labels?.row(i) ?? [], label => names?.[label] ?? label).join(',')
  await writeLines(dataset.rows, i => `${labelsText(i)} ${pairsText(features, i, 1)}`, output, options)
}

/** The labels as the reader would number them by the rows alone; none if it could not. */
function toldLabels(dataset: Dataset): string[] {
  const names = labelsInRows(dataset)
  try {
    return labelOrder(names, dataset.name).map(label => names[label])
  } catch {
    return [] // two spellings of one number
  }
}

/** Whether a name is one word without a sign that has a meaning here. */
function isWord(name: string): boolean {
  return /^[^\s,:#]+$/.test(name) && !/\p{Surrogate}/u.test(name)
}
