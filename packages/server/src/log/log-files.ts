// The files of a log in its folder. A log only opens, changes and removes files with these names, and only if they are regular files: a
// folder may come from anywhere, and a link in it may point at anything.

import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { damaged } from './log-error.ts'

/** The checksum and the end of a log that was closed. */
export const sealFile = 'log.closed'

/** Numbers in names have at most 15 digits, which a double holds exactly. */
export const largestNumber = 10 ** 15 - 1
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const segmentName = /^log-([1-9]\d{0,14})\.bin$/
const claimName = /^writer-([1-9]\d{0,14})\.json$/
const socketName = new RegExp(`^writer-${uuid}\\.sock$`)
const leftoverName = new RegExp(`^log(?:-\\d+\\.bin|\\.closed)\\.${uuid}\\.tmp$`)

/** The records from sequence `first` on. */
export function segmentFile(first: number): string {
  return `log-${first}.bin`
}

/** The claim of a writer, by its number. */
export function claimFile(writers: number): string {
  return `writer-${writers}.json`
}

export function isSocketName(name: unknown): name is string {
  return typeof name === 'string' && socketName.test(name)
}

export interface LogFiles {
  /** The first sequences of the segments, ascending. */
  readonly segments: readonly number[]
  /** The numbers of the claims to write, ascending. */
  readonly claims: readonly number[]
  /** Files that a killed process did not finish. */
  readonly leftovers: readonly string[]
}

/** Refuses a folder in which one of the log's names is neither a file nor a socket. */
export async function listLogFiles(folder: string): Promise<LogFiles> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries) {
    const { name } = entry
    const asItShould = socketName.test(name) ? entry.isSocket() : entry.isFile()
    if (isLogName(name) && !asItShould)
      throw damaged(join(folder, name), `is ${kindOf(entry)}, which does not belong in a log`)
  }
  const names = entries.map(({ name }) => name)
  return {
    segments: numbersOf(names, segmentName),
    claims: numbersOf(names, claimName),
    leftovers: names.filter(name => leftoverName.test(name)),
  }
}

/** Opens a file that is not a link. */
export async function openOwnFile(path: string, flags = constants.O_RDONLY): Promise<FileHandle> {
  return open(path, flags | (constants.O_NOFOLLOW ?? 0)) // Windows does not have this flag
}

/** Flushes the names in a folder to the disk. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return // Windows has no such call
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isLogName(name: string): boolean {
  return name === sealFile || [segmentName, claimName, socketName, leftoverName].some(pattern => pattern.test(name))
}

function numbersOf(names: readonly string[], pattern: RegExp): number[] {
  return names
    .flatMap(name => pattern.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

function kindOf(entry: { isSymbolicLink(): boolean; isDirectory(): boolean }): string {
  if (entry.isSymbolicLink()) return 'a symbolic link'
  return entry.isDirectory() ? 'a folder' : 'a special file'
}
