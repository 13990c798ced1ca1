// Reads hostile files [from, to) of one family in a process of its own: a file may hang it, or bring it down.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Dataset, DenseMatrix, EngineError, readDataset } from 'vicinal'
import { openNotes } from './child-notes.ts'
import { damagedFile, greedyFiles, type HostileFile, worstFile } from './hostile-files.ts'

const notes = openNotes()
const greedy = notes.words[0] === 'greedy' ? greedyFiles() : []

function fileAt(i: number): HostileFile {
  if (notes.words[0] === 'greedy') return greedy[i] as HostileFile // as many as there are
  return notes.words[0] === 'worst' ? worstFile(i) : damagedFile(i)
}

/** What no data set can be, whatever it was read from. */
function faultOf(data: Dataset): string | undefined {
  const { rows, features, labels, labelNames, ids, texts } = data
  if (!Number.isSafeInteger(rows) || rows < 1) return `${rows} rows`
  for (const part of [features?.rows, labels?.rows, ids?.length, texts?.length]) {
    if (part !== undefined && part !== rows) return `${part} of ${rows} rows`
  }
  if (features && !features.values.every(Number.isFinite)) return 'a number that is none'
  if (features && !(features instanceof DenseMatrix) && features.indices.some(index => index >= features.columns)) {
    return 'a feature beyond the last'
  }
  if (labels && labelNames && labelNames.length !== labels.columns) return `${labelNames.length} names of labels`
  return Object.hasOwn(Object.prototype, 'polluted') ? 'the prototype of objects was changed' : undefined
}

/** The label files are read beside a good file. */
async function read({ format, bytes }: HostileFile): Promise<Dataset> {
  if (format === 'label XML') {
    const [data, labels] = [join(notes.folder, 'a.arff'), join(notes.folder, 'a.xml')]
    writeFileSync(data, '@relation x\n@attribute a {0,1}\n@attribute b numeric\n@data\n0,1\n')
    writeFileSync(labels, bytes)
    return readDataset(data, { labelXml: labels })
  }
  if (format === 'label names') {
    writeFileSync(join(notes.folder, 'names.tsv'), bytes)
    return readDataset(new TextEncoder().encode('1 3 2\n0 0:1\n'), {
      format: 'xmc',
      vocabulary: join(notes.folder, 'names.tsv'),
    })
  }
  return readDataset(bytes, { format })
}

process.on('unhandledRejection', error => {
  throw error
})
for (let i = notes.from; i < notes.to; i++) {
  const file = fileAt(i)
  const fail = (kind: string, what: unknown) => notes.fail({ i, of: file.format, kind, what, changes: [file.what] })
  notes.at(i, file.format)
  try {
    const data = await read(file)
    const fault = faultOf(data)
    if (fault) fail('nonsense', fault)
    if (file.refused) fail('accepted', `${data.rows} rows`)
  } catch (error) {
    if (!(error instanceof EngineError)) fail('foreign', error instanceof Error ? error.stack?.slice(0, 600) : error)
    else if (error.code === 'INTERNAL') fail('internal', error.message)
  }
}
process.exit(0)
