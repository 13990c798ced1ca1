// The registry of file formats: which exist, and which one a file is in. The extension decides if only one format
// has it; otherwise the contents do. A new format is a new file and a line here, or a call of `registerFormat`.

import { EngineError } from '../errors.ts'
import { checkNumbers } from '../matrix/checks.ts'
import { checkFunction, checkObject, checkText, checkTexts } from '../options.ts'
import { arff } from './arff/arff.ts'
import type { Format } from './format.ts'
import { jsonl } from './records/jsonl.ts'
import { lines } from './records/lines.ts'
import { svmlight } from './sparse/svmlight.ts'
import { xmc } from './sparse/xmc.ts'
import { csv } from './table/csv.ts'
import { tsv } from './table/tsv.ts'
import { idx } from './vectors/idx.ts'
import { npy } from './vectors/npy.ts'
import { bvecs, fvecs, ivecs } from './vectors/vecs.ts'

// In the order in which they are asked whether they recognize a file: the stricter ones first.
const formats: Format[] = [npy, idx, fvecs, bvecs, ivecs, arff, xmc, jsonl, svmlight, tsv, csv, lines]

/** Registers your own format. It is tried before the others. */
export function registerFormat(format: Format): void {
  checkFormat(format)
  if (formats.some(known => known.name === format.name)) {
    throw new EngineError('INVALID_OPTION', `there is already a format called ${format.name}`, {
      hint: 'Give your format another name.',
    })
  }
  formats.unshift(format)
}

function checkFormat(format: Format): void {
  checkObject('format', format, 'a format with a name')
  for (const part of ['name', 'title'] as const) checkText(`format.${part}`, format[part])
  checkTexts('format.extensions', format.extensions)
  for (const part of ['recognize', 'read'] as const) checkFunction(`format.${part}`, format[part])
  if (format.write !== undefined) checkFunction('format.write', format.write)
}

/** The names of all formats. */
export function formatNames(): string[] {
  return formats.map(format => format.name)
}

/** The names of the formats that `writeDataset` can write. */
export function writableFormatNames(): string[] {
  return formats.filter(format => format.write).map(format => format.name)
}

/** The format called `name`. */
export function findFormat(name: string): Format {
  checkText('format', name)
  const format = formats.find(known => known.name === name)
  if (format) return format
  throw new EngineError('UNKNOWN_NAME', `unknown format "${name}", expected one of ${formatNames().join(', ')}`)
}

/** The formats that a file's name allows; none if the extension is not known. */
export function formatsByExtension(fileName: string): Format[] {
  checkText('fileName', fileName)
  const extension = extensionOf(fileName)
  return formats.filter(format => format.extensions.includes(extension))
}

/** The format of a file, by its name and its first bytes. */
export function detectFormat(fileName: string, head: Uint8Array): Format {
  const byName = formatsByExtension(fileName)
  checkNumbers('head', head, [Uint8Array])
  if (byName.length === 1) return byName[0]
  const recognizes = (format: Format) => format.recognize(head)
  const format = byName.find(recognizes) ?? formats.find(recognizes)
  if (format) return format
  throw new EngineError(
    'UNKNOWN_FORMAT',
    `${fileName} has an unrecognized format (neither extension nor contents match one)`,
    {
      hint: `Name the format with \`format\`: ${formatNames().join(', ')}.`,
    },
  )
}

/** The lower-case ending of a path or URL, without dot, without `.gz` and without the URL's query. */
function extensionOf(fileName: string): string {
  const path = /^https?:/i.test(fileName) ? fileName.replace(/[?#].*$/, '') : fileName
  return /\.([^./\\]+)(\.gz)?$/i.exec(path)?.[1].toLowerCase() ?? ''
}
