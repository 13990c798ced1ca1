// ARFF, Weka's format, as Mulan and Meka use it for many labels: a head that declares attributes, then dense or sparse
// rows (the first row tells which; the matrix is of that kind). What is a label: see arff-labels.ts; without any, all
// attributes are features and the data set has no labels. String attributes are the row's text, several of them joined
// by a line break. Comments are whole lines.

import { EngineError } from '../../errors.ts'
import { type LineBlock, readLines } from '../bytes/lines.ts'
import { wordStart } from '../bytes/words.ts'
import type { Dataset } from '../dataset.ts'
import type { Format, Input, ReadOptions } from '../format.ts'
import { shorten } from '../limits.ts'
import { BadRows } from '../rows/bad-rows.ts'
import { firstNames } from './arff-attribute.ts'
import { ArffHeader } from './arff-header.ts'
import { findLabels } from './arff-labels.ts'
import { isSparseRow, readDenseRow, readSparseRow } from './arff-rows.ts'
import { ArffTable } from './arff-table.ts'

const percent = 37

export const arff: Format = {
  name: 'arff',
  title: "ARFF, dense or sparse, with Mulan's label XML or Meka's `-C n`",
  extensions: ['arff'],
  recognize,
  read,
}

/** Whether the first line that is neither empty nor a comment is one of a head. */
function recognize(head: Uint8Array): boolean {
  const lines = new TextDecoder().decode(head).split('\n')
  return /^\s*@(relation|attribute)\s/i.test(lines.find(line => !/^\s*(%|$)/.test(line)) ?? '')
}

async function read(input: Input, options: ReadOptions): Promise<Dataset> {
  const header = new ArffHeader()
  let rows: RowReader | undefined
  for await (const block of readLines(input, options)) {
    while (!rows && block.next()) {
      if (header.readLine(block)) rows = new RowReader(header, await findLabels(header, input, options), options)
    }
    while (rows && block.next()) rows.readLine(block)
  }
  if (!rows) {
    throw new EngineError('BAD_DATA', 'the file ends before @data', {
      where: { file: input.name },
      hint: 'Is the file complete?',
    })
  }
  return rows.finish(input.name)
}

class RowReader {
  readonly #header: ArffHeader
  readonly #labels: ReadonlySet<string>
  readonly #bad: BadRows
  #table: ArffTable | undefined
  #sparse = false

  constructor(header: ArffHeader, labels: ReadonlySet<string>, options: ReadOptions) {
    this.#header = header
    this.#labels = labels
    this.#bad = new BadRows(options)
  }

  readLine(block: LineBlock): void {
    const first = wordStart(block.bytes, block.start, block.end)
    if (first === block.end || block.bytes[first] === percent) return
    const sparse = isSparseRow(block)
    const table = this.#table ?? this.#begin(block, sparse)
    try {
      if (sparse !== this.#sparse) {
        const [found, expected] = sparse ? ['sparse', 'dense'] : ['dense', 'sparse']
        throw block.error(`the row is ${found}, expected a ${expected} one like the first`)
      }
      if (sparse) readSparseRow(block, table)
      else readDenseRow(block, table)
      table.endRow(block)
    } catch (error) {
      table.dropRow()
      this.#bad.add(block.line, error)
    }
  }

  finish(name: string): Dataset {
    const table = this.#table ?? new ArffTable(name, this.#header.attributes, this.#labels, false)
    return { ...table.finish(name), ...this.#bad.asField() }
  }

  #begin(block: LineBlock, sparse: boolean): ArffTable {
    if (sparse) refuseImpliedValues(block, this.#header)
    this.#sparse = sparse
    this.#table = new ArffTable(block.file, this.#header.attributes, this.#labels, sparse)
    return this.#table
  }
}

/** What a sparse row leaves out has the first nominal value; we can only take that for 0. */
function refuseImpliedValues(block: LineBlock, { attributes }: ArffHeader): void {
  for (const { name, values } of attributes) {
    const [first] = values
    if (first === undefined || first[1] === 0) continue
    const listed = firstNames(values)
    const hint = 'Convert the file to dense rows.'
    throw block.error(
      `attribute ${shorten(name)} is {${listed}}: if a sparse row leaves it out, its value is ${shorten(first[0])}, not 0`,
      block.start,
      hint,
    )
  }
}
