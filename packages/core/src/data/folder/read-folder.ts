// A folder of full texts as Annif has them: `x.txt` with its labels beside it, in `x.tsv` (`<uri>`, tab, name) or `x.key` (one name
// per line), or all of it in one object, `x.json`. The file name is the id. Either all texts have labels or none: a text without
// them is a bad row, because nobody can tell it from one that has no subject. Hidden files are ignored.

import { EngineError, throwIfAborted } from '../../errors.ts'
import { nodeModule } from '../../platform.ts'
import { openInput, readAll } from '../bytes/byte-source.ts'
import { LineBlock } from '../bytes/lines.ts'
import type { Dataset } from '../dataset.ts'
import type { ReadOptions } from '../format.ts'
import { shorten } from '../limits.ts'
import { RecordReader } from '../records/record-reader.ts'
import type { FieldRecord } from '../records/records.ts'
import { bareId } from '../vocabulary/tsv-vocabulary.ts'

/** Of a file with the labels of a text. */
const labelEnding = /(?<=\.)(key|tsv)$/i

/** Whether `source` is the path of a folder. */
export async function isFolder(source: unknown): Promise<boolean> {
  if (typeof source !== 'string' || source.includes('\0')) return false
  const stats = await nodeModule('node:fs')
    ?.promises.stat(source)
    .catch(() => undefined) // the reader says what is wrong
  return stats?.isDirectory() ?? false
}

/** Reads the texts of a folder, in the order of their names. */
export async function readFolder(folder: string, options: ReadOptions): Promise<Dataset> {
  const { signal, onProgress } = options
  const { readdir } = nodeModule('node:fs')!.promises
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !name.startsWith('.'))
  for (const entry of entries) if (entry.isDirectory()) await refuseTexts(folder, entry.name)
  const files = new Set(entries.map(({ name }) => name))
  const names = [...files].filter(isText).sort()
  checkFolder(folder, files, names)
  const labeled = names.some(name => labelFile(name, files) !== undefined)
  const reader = new RecordReader(folder, options)
  for (const [i, name] of names.entries()) {
    throwIfAborted(signal)
    const read = await attempt(() => readDocument(folder, name, files, labeled))
    reader.take(i + 1, () => {
      if ('error' in read) throw read.error
      return read.record
    })
    onProgress?.({ what: 'reading', done: i + 1, total: names.length })
  }
  const { columns: _, ...dataset } = reader.finish() // there are no columns to choose
  return dataset
}

/** Texts in a folder within would be missed. */
async function refuseTexts(folder: string, name: string): Promise<void> {
  const within = join(folder, name)
  const files = await nodeModule('node:fs')!.promises.readdir(within)
  if (!files.some(isText)) return
  throw new EngineError('BAD_DATA', `${within} holds more texts, but folders within a folder are not read`, {
    hint: 'Read each folder on its own, or put all texts into one.',
  })
}

function isText(name: string): boolean {
  return /\.(txt|json)$/i.test(name) && !name.startsWith('.')
}

function checkFolder(folder: string, files: ReadonlySet<string>, names: readonly string[]): void {
  if (names.length === 0) {
    throw new EngineError('EMPTY_DATA', `${folder} is a folder without texts`, {
      hint: 'A folder of texts has files such as a.txt, with labels in a.tsv or a.key.',
    })
  }
  const lonely = [...files].find(name => labelEnding.test(name) && !files.has(name.replace(labelEnding, 'txt')))
  if (lonely === undefined) return
  throw new EngineError('BAD_DATA', `there is no ${lonely.replace(labelEnding, 'txt')} to go with it`, {
    where: { file: join(folder, lonely) },
  })
}

type Attempt = { readonly record: FieldRecord } | { readonly error: unknown }

async function attempt(read: () => Promise<FieldRecord>): Promise<Attempt> {
  try {
    return { record: await read() }
  } catch (error) {
    return { error }
  }
}

/** Where the labels of a text are: TSV comes first, as in Annif. A JSON file has its own. */
function labelFile(name: string, files: ReadonlySet<string>): string | undefined {
  if (/\.json$/i.test(name)) return name
  return ['tsv', 'key'].map(extension => name.replace(/txt$/i, extension)).find(file => files.has(file))
}

async function readDocument(
  folder: string,
  name: string,
  files: ReadonlySet<string>,
  labeled: boolean,
): Promise<FieldRecord> {
  const path = join(folder, name)
  const id = name.replace(/\.[^.]*$/, '')
  if (/\.json$/i.test(name)) return readJson(path, id)
  const text = await readText(path)
  if (!labeled) return { id, text }
  const labels = labelFile(name, files)
  if (labels !== undefined) return { id, text, labels: await readLabels(join(folder, labels)) }
  throw new EngineError('BAD_DATA', 'the text has no labels, but others in the folder have', {
    where: { file: path },
    hint: `Add ${id}.key, which may be empty, or skip such texts with \`skipBadRows\`.`,
  })
}

async function readBytes(path: string): Promise<Uint8Array> {
  return readAll(await openInput(path))
}

/** The whole file, without a byte order mark. */
async function readText(path: string): Promise<string> {
  const bytes = await readBytes(path)
  const block = new LineBlock(path, bytes, 0, bytes.length + 1)
  if (!block.next()) return ''
  return block.text(block.start, bytes.length)
}

/** Labels, each a name or Annif's `{ uri, label }`. Empty lines are no labels. */
async function readLabels(path: string): Promise<unknown[]> {
  const bytes = await readBytes(path)
  const block = new LineBlock(path, bytes, 0, bytes.length + 1)
  const labels: unknown[] = []
  while (block.next()) {
    const line = block.text()
    if (line.trim() !== '') labels.push(labelOf(line))
  }
  return labels
}

function labelOf(line: string): unknown {
  const [first, name = ''] = line.split('\t').map(cell => cell.trim())
  if (!/^<.*>$/.test(first)) return first === '' ? name : first
  return name === '' ? bareId(first) : { uri: bareId(first), label: name }
}

async function readJson(path: string, id: string): Promise<FieldRecord> {
  const document = parse(await readText(path), path)
  const { text, subjects, document_id: key = id } = document
  if (typeof text === 'string') return { id: key, text, ...(subjects !== undefined && { labels: subjects }) }
  throw new EngineError('BAD_DATA', 'the object has no "text"', { where: { file: path } })
}

function parse(text: string, file: string): FieldRecord {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EngineError('BAD_DATA', `the file is not JSON: ${reason}`, { where: { file }, cause })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as FieldRecord // checked
  throw new EngineError('BAD_DATA', `the file holds ${shorten(text)}, expected one object`, { where: { file } })
}

function join(folder: string, name: string): string {
  return nodeModule('node:path')!.join(folder, name)
}
