// A memory as callers give it, turned into what is stored: its value and metadata are JSON.

import type { Id } from '../ids/id.ts'
import { type MemoryKey, textOf } from './memory-key.ts'
import { type InsertOptions, type MemoryChanges, rewardsOf } from './memory-record.ts'
import type { Changes, NewMemory, RewardRecord } from './memory-writer.ts'
import type { StoredMemory } from './table/memory-table.ts'
import { metadataJson, valueJson } from './table/value-json.ts'

/** The parts of a stored memory that its caller gives. */
type Given = Pick<StoredMemory, 'value' | 'text' | 'metadata' | 'namespace' | 'expiresAt'>

/** What a new memory holds, checked. */
export function givenMemory(key: MemoryKey, value: unknown, { namespace, metadata, expiresAt }: InsertOptions): Given {
  return {
    value: valueJson(value),
    text: textOf(key),
    metadata: metadata && metadataJson(metadata),
    namespace,
    expiresAt,
  }
}

/** A new memory, written out: spreading took a twentieth of an insert. */
export function newMemory(
  { value, text, namespace, metadata, expiresAt }: Given,
  id: Id,
  createdAt: number,
): NewMemory {
  return { id, value, text, namespace, metadata, createdAt, expiresAt }
}

/** What takes the place of a stored memory. */
interface Replacement {
  /** Under the same key. */
  readonly changes: Changes
  /** Under another key, with what it takes over of the old one's rewards. */
  readonly memory: NewMemory
  readonly learned: RewardRecord
}

/** What is not given stays as it was: namespace, metadata, end, rewards and when it was created. */
export function replacement(old: StoredMemory, given: Given, options: InsertOptions): Replacement {
  const { id, namespace, reward, rewards } = old
  const metadata = given.metadata ?? old.metadata
  const expiresAt = given.expiresAt ?? old.expiresAt
  const createdAt = options.createdAt ?? old.createdAt
  const history = rewardsOf(options) ?? { reward, rewards }
  const learnedAs = old.learnedAs ?? (old.value === given.value ? undefined : old.value)
  return {
    changes: { value: given.value, metadata, expiresAt, createdAt, ...history },
    memory: { ...given, id, namespace, metadata, expiresAt, createdAt },
    learned: { ...history, learnedAs },
  }
}

/** The changes to a stored memory, checked. Absent fields stay as they are. */
export function changesJson({ value, metadata, expiresAt }: MemoryChanges<unknown>): Partial<Given> {
  return {
    ...(value !== undefined && { value: valueJson(value) }),
    ...(metadata !== undefined && { metadata: metadata === null ? undefined : metadataJson(metadata) }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? undefined : expiresAt }),
  }
}
