// The state file of a store: what it stores, and which snapshot is current. Replaced atomically with every snapshot.

import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError, type JsonObject } from '@vicinal/core'
import { writeAtomically } from '@vicinal/core/internals'
import { damaged, folderFailure, tooNew, tooOld } from '../log/log-error.ts'
import { readSealed, sealJson } from '../log/sealed-json.ts'

export const stateFile = 'store.json'
const format = 4

/** What a store keeps. */
export type StoreKind = 'memory' | 'collection'

export interface StoreState {
  /** The last operation that is in the snapshot, whose name follows from it. */
  readonly from: number
  /** The link in the log before the first operation that the snapshot lacks: it proves that the log belongs to this store. */
  readonly link: string
  /** How many explorations there were when the store was closed, and after which operation. */
  readonly noted?: { readonly operation: number; readonly explorations: number }
}

export async function readState(folder: string, kind: StoreKind = 'memory'): Promise<StoreState> {
  const path = join(folder, stateFile)
  const state = await readChecked(folder, path)
  const written = Number(state.format)
  if (written > format) throw tooNew(path, written, format)
  if (isKind(state.kind) && written < format) throw tooOld(path)
  if (state.kind !== kind && isKind(state.kind)) throw otherKind(folder, state.kind, kind)
  const { from, link, noted } = state
  if (state.kind !== kind || !isCount(from) || typeof link !== 'string')
    throw damaged(path, `it does not hold the state of a ${kind}`)
  if (noted === undefined) return { from, link }
  const [operation, explorations] = Array.isArray(noted) ? noted : []
  if (!isCount(operation) || !isCount(explorations)) throw damaged(path, 'its number of explorations is not valid')
  return { from, link, noted: { operation, explorations } }
}

/** The state is on disk when this resolves, or the old one is still there. */
export async function writeState(
  folder: string,
  { from, link, noted }: StoreState,
  kind: StoreKind = 'memory',
): Promise<void> {
  const state: JsonObject = { format, kind, from, link, ...(noted && { noted: [noted.operation, noted.explorations] }) }
  await writeAtomically(join(folder, stateFile), { overwrite: true }, write => write(sealJson(stateFile, state)))
}

async function readChecked(folder: string, path: string): Promise<JsonObject> {
  try {
    // A link could lead out of the folder, and would be written to.
    if (!(await lstat(path)).isFile()) throw damaged(path, 'is not a regular file')
    const state = await readSealed(folder, stateFile)
    if (!state) throw damaged(path, 'is gone')
    return state
  } catch (error) {
    throw folderFailure(path, error)
  }
}

function isKind(kind: unknown): kind is StoreKind {
  return kind === 'memory' || kind === 'collection'
}

/** A whole store of something else is not damaged. */
function otherKind(folder: string, found: StoreKind, wanted: StoreKind): EngineError {
  const openers = { memory: 'MemoryStore.open()', collection: 'CollectionStore.open()' }
  return new EngineError('UNKNOWN_NAME', `is the store of a ${found}, not of a ${wanted}`, {
    where: { file: folder },
    hint: `Open it with \`${openers[found]}\`.`,
  })
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
