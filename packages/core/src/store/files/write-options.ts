// The options of writing a file, and their check before any work is done.

import { checkBoolean, checkOptions, checkSignal, optionTable } from '../../options.ts'
import type { WebSignal } from '../../web-types.ts'

/** How to write a file. It is written under a temporary name first, then renamed. */
export interface AtomicWriteOptions {
  /** Replace an existing file. Default false: FILE_EXISTS. */
  readonly overwrite?: boolean
  /** Stops the writing with ABORTED. */
  readonly signal?: WebSignal | undefined
}

const writeOptions = optionTable<AtomicWriteOptions>({ overwrite: checkBoolean, signal: checkSignal })

/** Refuses unknown options, before any work is done. */
export function checkWriteOptions(options: AtomicWriteOptions): void {
  checkOptions(options, writeOptions)
}
