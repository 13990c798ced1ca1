// What a program that tries hostile cases tells the one that runs it (child-run.ts): where it is, and what failed.

import { appendFileSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Failure } from './child-run.ts'

/** How a program exits that has noted why it cannot go on. */
export const noted = 3

export interface Notes {
  readonly folder: string
  /** The cases to try: [from, to). */
  readonly from: number
  readonly to: number
  readonly words: readonly string[]
  /** Case `i` has come to this step. */
  at(i: number, step: string): void
  fail(failure: Failure): void
}

export function openNotes(): Notes {
  const [folder = '', from = '0', to = '0', ...words] = process.argv.slice(2)
  const progress = openSync(join(folder, 'progress'), 'r+') // it says where to begin
  return {
    ...{ folder, from: Number(from), to: Number(to), words },
    at: (i, step) => writeSync(progress, `${i} ${step}`.padEnd(40), 0),
    fail: failure => appendFileSync(join(folder, 'failures'), `${JSON.stringify(failure)}\n`),
  }
}
