// The contract of a file format: how to recognize it, read it and, for some, write it. Each format has its own file; the
// registry (formats.ts) lists them.

import type { LongWork } from '../long-work.ts'
import { checkBoolean, checkPath, checkText, checkTexts, checkWhole, optionTable, workChecks } from '../options.ts'
import { checkUnpackedLimit } from './bytes/unpacked-size.ts'
import type { Dataset } from './dataset.ts'
import { checkVocabularySource } from './vocabulary/check-vocabulary.ts'
import type { Vocabulary } from './vocabulary/vocabulary.ts'

/** An opened source of bytes, already gunzipped. */
export interface Input {
  /** What messages call it: the path, or the caller's word. */
  readonly name: string
  /** The path, if the source is a file: for libraries that must seek. */
  readonly path?: string
  readonly chunks: AsyncIterable<Uint8Array>
  /** How many of how many bytes were read, counted on disk. Absent if the total is unknown. */
  readonly way?: () => { readonly done: number; readonly total: number }
  /** Opens a file next to this one (ARFF's label XML); undefined if there is none. */
  sibling(name: string): Promise<Input | undefined>
}

/** Where a writer puts its bytes. The caller closes and renames the file. */
export interface Output {
  readonly name: string
  /** Writes the next piece; resolves when it is ready for more. */
  write(chunk: Uint8Array | string): Promise<void>
}

/** Options of `readDataset`. */
export interface ReadOptions extends LongWork {
  /** The name of the format, if it cannot be told from extension and contents. */
  readonly format?: string
  /** Columns or fields that hold the text, joined by a line break. Default: the first known one (text, title, …). */
  readonly textColumns?: readonly string[]
  /** Column or field that holds the labels. Default: the first known one (labels, subjects, subject_uris, tags, label …). */
  readonly labelColumn?: string
  /** Column or field that holds the caller's key. Default: the first known one (id, document_id, name …), else none. */
  readonly idColumn?: string
  /**
   * The separator of labels in a cell of a table. Default, for a whole column: `;` or `|` if one occurs, otherwise `,` or
   * white space in a column of lists. The cells of a column named label, class or category are not split.
   */
  readonly labelSeparator?: string
  /**
   * What labels are called: a vocabulary, or the path of its file (see `readVocabulary`). Labels are the ids of its concepts, or
   * their names, which become ids. Labels that it does not have stay as they are.
   */
  readonly vocabulary?: Vocabulary | string
  /** The language of names, if the vocabulary has several. Default: English, or its first one. */
  readonly language?: string
  /** Drop labels that the vocabulary does not have or calls deprecated, and list them in `droppedLabels`. Default false. */
  readonly onlyVocabulary?: boolean
  /** For ARFF: Mulan's XML file, which says which columns are labels. Default: the one next to the data, if any. */
  readonly labelXml?: string
  /** Number of the first feature in svmlight files. Default 1; a feature 0 is then an error that says so. */
  readonly indexBase?: 0 | 1
  /** Which matrix of a file that holds several (HDF5: 'train', 'test', 'neighbors'). Default 'train', or the only one. */
  readonly part?: string
  /** Skip bad rows and list them in `skipped` instead of failing at the first. Default false. */
  readonly skipBadRows?: boolean
  /** The longest line read, in bytes. Default 64 MiB. */
  readonly maxLineBytes?: number
  /**
   * The most bytes that a compressed file may unpack to. Default: 256 MiB, or 100 times its size if that is more. Mostly zero
   * data may need more; a small file that unpacks to more may be an attack. Also the most bytes of Parquet or HDF5 from a pipe
   * or a URL, which are stored before they are read. Default for these: 4 GiB.
   */
  readonly maxUnpackedBytes?: number | undefined
  /**
   * Timeout of the library that reads Parquet or HDF5, for one part of a file. Default: 20 seconds plus one for each megabyte.
   */
  readonly libraryTimeoutMs?: number
}

/** The checks of `ReadOptions`. */
export const readChecks = {
  ...{ format: checkText, textColumns: checkTexts, labelColumn: checkText, idColumn: checkText },
  ...{ labelSeparator: checkText, part: checkText, skipBadRows: checkBoolean },
  ...{ vocabulary: checkVocabularySource, language: checkText, onlyVocabulary: checkBoolean, labelXml: checkPath },
  indexBase: (name: string, value: unknown) => checkWhole(name, value, 0, 1),
  maxLineBytes: (name: string, value: unknown) => checkWhole(name, value, 1, Number.MAX_SAFE_INTEGER),
  maxUnpackedBytes: checkUnpackedLimit,
  libraryTimeoutMs: (name: string, value: unknown) => checkWhole(name, value, 1, 2 ** 31 - 1),
  ...workChecks,
}
export const readOptions = optionTable<ReadOptions>(readChecks)

/** A file format: how it is recognized, read and written. */
export interface Format {
  /** The word used in options: 'xmc'. */
  readonly name: string
  /** One line for help pages. */
  readonly title: string
  /** Lower-case file endings, without dot and without `.gz`. */
  readonly extensions: readonly string[]
  /** Whether the file's first bytes (at most 64 kB) can be of this format. Asked in the registry's order. */
  recognize(head: Uint8Array): boolean
  /** Reads a whole input. */
  read(input: Input, options: ReadOptions): Promise<Dataset>
  /** Absent if the format is read-only. */
  write?(dataset: Dataset, output: Output, options: LongWork): Promise<void>
}
