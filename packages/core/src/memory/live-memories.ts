// Memories by id and by slot, where those that have expired count as gone.

import { EngineError, quoted } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import { givenKey } from './memory-key.ts'
import type { Memory } from './memory-record.ts'
import type { MemoryState } from './memory-state.ts'
import type { Retrieval } from './retrieval/retrieval.ts'

export function isExpired({ table }: MemoryState, slot: number, now: number): boolean {
  const { expiresAt } = table.at(slot)
  return expiresAt !== undefined && expiresAt <= now
}

/** The slot of a memory that must exist. */
export function liveSlot(state: MemoryState, id: Id): number {
  const slot = state.table.slotOf(id)
  if (slot !== undefined && !isExpired(state, slot, state.now())) return slot
  throw new EngineError('UNKNOWN_NAME', `there is no memory with the id ${quoted(id)}`, {
    hint: 'It was removed, it expired, or it was evicted because the memory was full.',
  })
}

/** The id, or the next one. The id of an expired memory is free. */
export function freeId(state: MemoryState, id: Id | undefined, now: number): Id {
  const { table } = state
  const slot = id === undefined ? undefined : table.slotOf(id)
  return id !== undefined && slot !== undefined && isExpired(state, slot, now) ? id : table.checkId(id)
}

/** The id of a memory that is only refreshed. Refuses another one. */
export function renewedId({ table }: MemoryState, slot: number, given: Id | undefined): Id {
  const { id } = table.at(slot)
  if (given === undefined || given === id) return id
  throw new EngineError('BAD_DATA', `the memory ${JSON.stringify(id)} has this key and value already`, {
    hint: 'Leave out the id to refresh that memory, or create the memory with duplicates: keep.',
  })
}

/** The memory in a slot, as callers see it. */
export function memoryAt({ table, reader }: MemoryState, retrieval: Retrieval, slot: number): Memory {
  const { text, ...facts } = retrieval.factsOf(slot)
  const { expiresAt } = table.at(slot)
  const key = givenKey(table.keys.row(slot), reader.shape, text)
  return { ...facts, key, ...(expiresAt !== undefined && { expiresAt }) }
}
