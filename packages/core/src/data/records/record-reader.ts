// Takes records from the reader of a format, and skips bad ones if the caller asked for that. Shared by JSON Lines and Parquet.

import { checkFunction, checkObject, checkOptions, checkText, checkWhole } from '../../options.ts'
import type { Dataset } from '../dataset.ts'
import { type ReadOptions, readOptions } from '../format.ts'
import { RowAttempts } from '../rows/row-attempts.ts'
import { type FieldRecord, RecordBuilder } from './records.ts'

/** Collects records (text, labels, id, vector) into a data set. */
export class RecordReader {
  readonly #file: string
  readonly #attempts: RowAttempts
  readonly #records: RecordBuilder

  /** `frontField` is the field of the first record that tells what the records do not (untold.ts). */
  constructor(file: string, options: ReadOptions, frontField?: string) {
    checkOptions(options, readOptions)
    checkText('file', file)
    if (frontField !== undefined) checkText('frontField', frontField)
    this.#file = file
    this.#attempts = new RowAttempts(file, options)
    this.#records = new RecordBuilder(file, options, frontField)
  }

  /** The fields that are read, once the first record has told. */
  get fields(): readonly string[] | undefined {
    return this.#records.fields
  }

  /**
   * Takes the record at `line` (in formats without lines: the row, from 1). `parse` may fail for a bad record. `worded`
   * gives the record with its long numbers as strings, if it has any: keys and labels that are numbers are taken from there.
   */
  take(line: number, parse: () => FieldRecord, worded?: () => FieldRecord | undefined): void {
    checkLine(line)
    checkFunction('parse', parse)
    if (worded !== undefined) checkFunction('worded', worded)
    const read = () => {
      const record = parse()
      checkObject('the record', record, 'an object')
      return record
    }
    this.#attempts.attempt(line, () => this.#records.add(read(), { file: this.#file, line }, worded))
  }

  /** Passes an empty line, which is bad unless only such lines follow. */
  passEmptyLine(line: number): void {
    checkLine(line)
    this.#attempts.passEmptyLine(line)
  }

  /** The data set of all records so far. */
  finish(): Dataset {
    const skipped = this.#attempts.finish(this.#records.rows)
    return { ...this.#records.finish(), ...skipped }
  }
}

function checkLine(line: number): void {
  checkWhole('line', line, 1, Number.MAX_SAFE_INTEGER)
}
