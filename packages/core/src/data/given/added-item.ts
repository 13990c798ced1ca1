// One item for `add` of an index: an item and a separate id, or an object that holds both, such as { id, vector }.

import { EngineError } from '../../errors.ts'
import type { Id } from '../../ids/id.ts'
import { isOwnItem } from './net-rows.ts'
import { fieldOf, isRecord } from './records.ts'

/** The item to add and its key; without a key, it gets the row's number. */
export interface AddedItem {
  readonly item: unknown
  readonly id: Id | undefined
}

/** `forms` is the hint for objects that hold nothing to add. */
export function addedItem(given: unknown, id: Id | undefined, forms: string): AddedItem {
  if (!isRecord(given)) return { item: given, id }
  const field = 'text' in given ? 'text' : 'vector'
  return { item: fieldOf(given, field, 'the row', forms), id: oneId(given, id) }
}

/** For a metric supplied by the caller, which may compare any objects: only one that has an id, an item and nothing else is taken apart. */
export function addedOwnItem(given: unknown, id: Id | undefined): AddedItem {
  return isOwnItem(given) ? { item: given.item, id: oneId(given, id) } : { item: given, id }
}

function oneId(given: object, id: Id | undefined): Id | undefined {
  const own = (given as { id?: Id }).id // checked when they become ids
  if (own === undefined || id === undefined) return own ?? id
  throw new EngineError('INVALID_OPTION', 'you gave the id twice: in the item and as the second argument', {
    hint: 'Leave out the second argument.',
  })
}
