// Names for labels from a file beside the data: one a line in label order, or `key<TAB>name` lines that give names to
// the keys used as labels (label numbers, where the data has no names). Keys may stand in angle brackets, as URIs do.

import { EngineError } from '../errors.ts'
import { openInput } from './bytes/byte-source.ts'
import { readLines } from './bytes/lines.ts'
import type { Dataset } from './dataset.ts'
import type { ReadOptions } from './format.ts'

/** The data set with the label names of the file at `path`. */
export async function nameLabels(dataset: Dataset, path: string, options: ReadOptions): Promise<Dataset> {
  if (!dataset.labels) {
    throw new EngineError('INVALID_OPTION', `${dataset.name} has no labels that ${path} could name`)
  }
  const lines = await readAllLines(path, options)
  const keyed = lines.some(line => line.includes('\t'))
  const labels = dataset.labels.columns
  return {
    ...dataset,
    labelNames: keyed ? byKey(lines, path, dataset.labelNames, labels) : inOrder(lines, path, labels),
  }
}

async function readAllLines(path: string, { signal }: ReadOptions): Promise<string[]> {
  const lines: string[] = []
  for await (const block of readLines(await openInput(path, signal ? { signal } : {}))) {
    while (block.next()) {
      if (block.start === block.end) throw block.error('the line is empty, expected the name of a label')
      lines.push(block.text())
    }
  }
  return lines
}

function inOrder(lines: string[], file: string, labels: number): string[] {
  if (lines.length === labels) return lines
  throw new EngineError('BAD_DATA', `found ${lines.length} names, expected one for each of the ${labels} labels`, {
    where: { file },
    hint: 'Where the file has keys and names, put a tab between them.',
  })
}

function byKey(lines: readonly string[], file: string, known: readonly string[] | undefined, labels: number): string[] {
  const names = new Map<string, string>()
  lines.forEach((line, i) => {
    const [key, name] = line.split('\t')
    const bare = key.replace(/^<(.*)>$/, '$1')
    const where = { file, line: i + 1 }
    if (!name) throw new EngineError('BAD_DATA', 'found no name, expected `key<TAB>name`', { where })
    if (names.has(bare)) throw new EngineError('BAD_DATA', `key ${bare} is there twice`, { where })
    names.set(bare, name)
  })
  return Array.from({ length: labels }, (_, label) => {
    const key = known?.[label] ?? String(label)
    return names.get(key) ?? key
  })
}
