// Names for labels from a file next to the data: one per line in label order, or `key<TAB>name` lines that give names to
// the keys used as labels (label numbers, if the data has no names). Keys may be in angle brackets, like URIs.
// A name that appears more than once gets its key, so that it means one label: 'tradition (p1270)'.

import { EngineError } from '../errors.ts'
import { openInput } from './bytes/byte-source.ts'
import { readLines } from './bytes/lines.ts'
import type { Dataset } from './dataset.ts'
import type { ReadOptions } from './format.ts'
import { checkCount, maxLabels, shorten } from './limits.ts'

/** The data set with the label names of the file at `path`. */
export async function nameLabels(dataset: Dataset, path: string, options: ReadOptions): Promise<Dataset> {
  if (!dataset.labels) {
    throw new EngineError('INVALID_OPTION', `you gave label names (${path}), but ${dataset.name} has no labels`)
  }
  const lines = await readAllLines(path, options)
  const keyed = lines.some(line => line.includes('\t'))
  const labels = dataset.labels.columns
  return {
    ...dataset,
    labelNames: keyed ? byKey(lines, path, dataset.labelNames, labels) : inOrder(lines, path, labels),
  }
}

async function readAllLines(path: string, { signal, maxUnpackedBytes }: ReadOptions): Promise<string[]> {
  const lines: string[] = []
  for await (const block of readLines(await openInput(path, { signal, maxUnpackedBytes }))) {
    while (block.next()) {
      if (block.start === block.end) throw block.error('the line is empty, expected the name of a label')
      checkCount('lines of label names', lines.length + 1, maxLabels, block.place())
      lines.push(block.text())
    }
  }
  return lines
}

function inOrder(lines: string[], file: string, labels: number): string[] {
  if (lines.length === labels)
    return tellApart(lines.map((name, label) => [String(label), name])).map(([, name]) => name)
  throw new EngineError('BAD_DATA', `found ${lines.length} names, expected one for each of the ${labels} labels`, {
    where: { file },
    hint: 'If the file has keys and names, separate them with a tab.',
  })
}

function byKey(lines: readonly string[], file: string, known: readonly string[] | undefined, labels: number): string[] {
  const names = new Map<string, string>()
  lines.forEach((line, i) => {
    const [key, name] = line.split('\t')
    const bare = key.replace(/^<(.*)>$/, '$1')
    const where = { file, line: i + 1 }
    if (!name) throw new EngineError('BAD_DATA', 'found no name, expected `key<TAB>name`', { where })
    if (names.has(bare)) throw new EngineError('BAD_DATA', `key ${shorten(bare)} appears twice`, { where })
    names.set(bare, name)
  })
  const apart = new Map(tellApart([...names]))
  return Array.from({ length: labels }, (_, label) => {
    const key = known?.[label] ?? String(label)
    return apart.get(key) ?? key
  })
}

/** Adds the key to each name that several keys have. */
function tellApart(named: readonly (readonly [key: string, name: string])[]): [key: string, name: string][] {
  const uses = new Map<string, number>()
  for (const [, name] of named) uses.set(name, (uses.get(name) ?? 0) + 1)
  return named.map(([key, name]) => [key, uses.get(name) === 1 ? name : `${name} (${key})`])
}
