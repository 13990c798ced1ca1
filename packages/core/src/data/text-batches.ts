// Texts that come line by line, from a pipe or a terminal: passed on as they come, so that answers do not wait for the
// end. The first line decides: if it begins with a brace, every line is a JSON record with a text and optionally an id;
// otherwise every line is a text. Invariant: after the first line, the meaning of a line depends on no other line.

import { EngineError } from '../errors.ts'
import { checkOptions, checkText, optionTable } from '../options.ts'
import { openInput, type Source } from './bytes/byte-source.ts'
import { type LineBlock, readLines } from './bytes/lines.ts'
import { type ReadOptions, readChecks } from './format.ts'
import { parseRecord, parseWorded } from './records/jsonl.ts'
import { holdsNumber, textOf } from './records/record-fields.ts'
import { RowAttempts } from './rows/row-attempts.ts'
import { assignRoles, listNames } from './table/columns.ts'

/** Some texts of a stream, with their ids. */
export interface TextBatch {
  /** The key of each text: its record's, else its number, counting all lines from 0. */
  readonly ids: readonly (string | number)[]
  readonly texts: readonly string[]
}

/** Options of `readTextBatches`. */
export interface TextBatchOptions
  extends Pick<
    ReadOptions,
    'textColumns' | 'idColumn' | 'maxLineBytes' | 'maxUnpackedBytes' | 'signal' | 'onProgress'
  > {
  /** What messages call the source. Default: its path, or '(stream)'. */
  readonly name?: string
}

const { textColumns, idColumn, maxLineBytes, maxUnpackedBytes, signal, onProgress } = readChecks
const batchOptions = optionTable<TextBatchOptions>({
  ...{ textColumns, idColumn, maxLineBytes, maxUnpackedBytes, signal, onProgress, name: checkText },
})

type AddText = (id: string | undefined, text: string) => void

/** Reads the texts of `source` in batches, as data arrives. */
export async function* readTextBatches(source: Source, options: TextBatchOptions = {}): AsyncGenerator<TextBatch> {
  checkOptions(options, batchOptions)
  const { name, signal, maxUnpackedBytes } = options
  const input = await openInput(source, { ...(name !== undefined && { name }), signal, maxUnpackedBytes })
  const attempts = new RowAttempts(input.name, {})
  let isJson: boolean | undefined
  for await (const block of readLines(input, options)) {
    const [ids, texts]: [(string | number)[], string[]] = [[], []]
    const add: AddText = (id, text) => {
      ids.push(id ?? block.line - 1)
      texts.push(text)
    }
    while (block.next()) {
      isJson ??= block.bytes[block.start] === 123 // a brace
      if (!isJson) add(undefined, block.text())
      else if (block.start === block.end) attempts.passEmptyLine(block.line)
      else attempts.attempt(block.line, () => addRecord(block, options, add))
    }
    if (texts.length > 0) yield { ids, texts }
  }
}

function addRecord(block: LineBlock, options: TextBatchOptions, add: AddText): void {
  const record = parseRecord(block)
  const fields = Object.keys(record)
  const { text, id } = assignRoles(block.file, fields, options)
  if (text.length === 0) throw noText(block, fields)
  const worded = [...text, id].some(field => field !== undefined && holdsNumber(record[field]))
  const words = (worded ? parseWorded(block) : undefined) ?? record
  const value = (field: string) => textOf(words[field], field, block.place())
  add(id === undefined ? undefined : value(id), text.map(value).join('\n'))
}

function noText(block: LineBlock, fields: readonly string[]): EngineError {
  return new EngineError('UNKNOWN_NAME', `cannot tell which field holds the text: ${listNames(fields)}`, {
    where: block.place(),
    hint: 'Name the text fields with `textColumns`.',
  })
}
