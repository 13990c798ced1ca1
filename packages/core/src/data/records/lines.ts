// One text per line and nothing else: names, titles, queries. Chosen by name or by the extension .lines, because any text file would match.

import { readLines } from '../bytes/lines.ts'
import type { Dataset } from '../dataset.ts'
import type { Format, Input, ReadOptions } from '../format.ts'
import { StringList } from '../rows/string-list.ts'

export const lines: Format = Object.freeze({
  name: 'lines',
  title: 'one text per line, without labels',
  extensions: Object.freeze(['lines']),
  recognize: () => false,
  read,
})

async function read(input: Input, options: ReadOptions): Promise<Dataset> {
  const texts = new StringList(input.name)
  for await (const block of readLines(input, options)) while (block.next()) texts.push(block.text())
  return { name: input.name, rows: texts.items.length, texts: texts.items }
}
