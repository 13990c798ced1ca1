// The changes of a file that is served, such as a model or a collection: a log in a folder beside it. The file itself never changes, so it
// can be replaced or copied at any time; opening it again makes the changes again.

import { randomUUID } from 'node:crypto'
import { lstat, mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Log } from '../log/log.ts'
import { damaged, folderFailure, mayNotWrite, unusable } from '../log/log-error.ts'
import { syncFolder } from '../log/log-files.ts'
import { recordText } from '../store/record-text.ts'
import type { ChangeLog } from './corrections.ts'

/** Where the changes of a file are. */
export function changesFolder(file: string): string {
  return `${file}.changes`
}

export class SideLog implements ChangeLog {
  readonly folder: string
  readonly #log: Log

  private constructor(folder: string, log: Log) {
    this.folder = folder
    this.#log = log
  }

  /** Opens the log beside `file`, or makes an empty one. One process can have it open. */
  static async open(file: string): Promise<SideLog> {
    const folder = changesFolder(file)
    try {
      if (!(await exists(folder))) await makeFolder(folder)
    } catch (error) {
      if (!mayNotWrite(error)) throw folderFailure(folder, error)
      const hint = 'What is taught or added is kept there. Copy the file to a folder where you may write.'
      throw unusable(folder, 'you may not create this folder', hint, error)
    }
    return new SideLog(folder, await Log.open(folder))
  }

  /** Calls `apply` with every change so far, in order. */
  async replay(apply: (record: string) => void | Promise<void>): Promise<void> {
    for await (const { first, records } of this.#log.replay(1)) {
      for (const [i, record] of records.entries()) {
        try {
          await apply(recordText(record))
        } catch (cause) {
          throw damaged(this.folder, `change ${first + i} cannot be made again`, cause)
        }
      }
    }
  }

  /** Resolves when the change is on disk. Changes are on disk in the order of these calls. */
  async write(record: string): Promise<void> {
    await this.#log.append(Buffer.from(record))
  }

  close(): Promise<void> {
    return this.#log.close()
  }
}

/** Made under another name and renamed, so that a crash leaves no half-made log. */
async function makeFolder(folder: string): Promise<void> {
  const unfinished = `${folder}.${randomUUID()}.tmp`
  try {
    await mkdir(unfinished)
    await Log.create(unfinished)
    await rename(unfinished, folder)
    await syncFolder(dirname(folder))
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    error => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}
