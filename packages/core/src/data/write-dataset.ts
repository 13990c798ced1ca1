// Writes a data set to a file: the extension tells the format, `.gz` compresses, and the file appears only when it is
// complete.

import { EngineError } from '../errors.ts'
import type { LongWork } from '../long-work.ts'
import { checkBoolean, checkOptions, checkPath, checkText, optionTable, workChecks } from '../options.ts'
import { writeAtomically } from '../store/files/atomic-file.ts'
import { gzipTo } from './bytes/gzip-output.ts'
import { checkDataset, type Dataset } from './dataset.ts'
import type { Format } from './format.ts'
import { findFormat, formatsByExtension, writableFormatNames } from './formats.ts'

/** Options of `writeDataset`. */
export interface WriteOptions extends LongWork {
  /** The format's name. Default: by the path's ending, the first that fits (`.txt` is xmc). */
  readonly format?: string
  /** Replace a file that is already there. Default false: that is FILE_EXISTS. */
  readonly overwrite?: boolean
}

const writeOptions = optionTable<WriteOptions>({ format: checkText, overwrite: checkBoolean, ...workChecks })

/** Writes `dataset` to `path`. What the format has no place for (ids in xmc, say) is left out. */
export async function writeDataset(dataset: Dataset, path: string, options: WriteOptions = {}): Promise<void> {
  checkOptions(options, writeOptions)
  const { format, overwrite = false, signal } = options
  checkPath('path', path)
  const write = writerFor(path, format)
  checkDataset(dataset)
  if (dataset.rows === 0) {
    throw new EngineError('EMPTY_DATA', `${dataset.name} has no rows to write`, {
      hint: 'An empty file cannot be read.',
    })
  }
  await writeAtomically(path, { overwrite, signal }, async append => {
    const output = { name: path, write: append }
    if (/\.gz$/i.test(path)) await gzipTo(output, zipped => write(dataset, zipped, options))
    else await write(dataset, output, options)
  })
}

function writerFor(path: string, name: string | undefined): NonNullable<Format['write']> {
  const candidates = name === undefined ? formatsByExtension(path) : [findFormat(name)]
  const format = candidates.find(candidate => candidate.write)
  if (format?.write) return format.write.bind(format)
  const known = `formats that can be written: ${writableFormatNames().join(', ')}`
  if (candidates.length > 0) {
    throw new EngineError('UNSUPPORTED', `${candidates[0].name} files can only be read; ${known}`)
  }
  throw new EngineError('UNKNOWN_FORMAT', `cannot tell the format from the extension of ${path}; ${known}`, {
    hint: 'Name the format with `format`.',
  })
}
