// Ids that may be returned, as a set: callers may give an array, which cannot be asked.

import { EngineError, shown } from '../../errors.ts'
import type { Id } from '../../ids/id.ts'

/** The set itself, or one of the array's ids. */
export function setOf(filter: ReadonlySet<Id> | readonly Id[]): ReadonlySet<Id> {
  if (!Array.isArray(filter)) return filter as ReadonlySet<Id> // the one that is left
  const ids: readonly unknown[] = filter
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]
    if (typeof id === 'string' || typeof id === 'number') continue
    throw new EngineError('INVALID_OPTION', `filter[${i}] is ${shown(id)}, expected an id: a text or a number`)
  }
  return new Set(ids as readonly Id[])
}
