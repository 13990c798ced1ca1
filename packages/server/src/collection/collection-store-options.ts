// The options of a collection's store, and their checks.

import { type CollectionPlace, type CollectionShape, collectionDefaults } from '@vicinal/core/collection'
import { type Check, checkOptions, optionTable } from '@vicinal/core/internals'
import { checkReadOnly, type SnapshotOptions, storeChecks } from '../store/store-options.ts'

/** Options of `CollectionStore.create`. The collection's own options cannot change later. */
export interface CreateCollectionOptions extends SnapshotOptions, CollectionShape, Omit<CollectionPlace, 'onChange'> {}

/** Options of `CollectionStore.open`. */
export interface OpenCollectionOptions extends SnapshotOptions, Omit<CollectionPlace, 'onChange'> {
  /** Look at the collection as it is now, beside whoever writes. Default false. */
  readonly readOnly?: boolean
}

/** For options that the collection checks. */
const checkedLater: Check = () => {}
const openOptions = optionTable<OpenCollectionOptions>({ ...storeChecks, embed: checkedLater, readOnly: checkReadOnly })
// The compiler knows the names of the defaults; their values are checked by the collection.
const shapeChecks = Object.fromEntries(Object.keys(collectionDefaults).map(name => [name, checkedLater])) as Readonly<
  Record<keyof CollectionShape, Check>
>
const createOptions = optionTable<CreateCollectionOptions>({ ...storeChecks, embed: checkedLater, ...shapeChecks })

/** Refuses what is no option of opening. */
export function checkOpenOptions(options: OpenCollectionOptions): void {
  checkOptions(options, openOptions)
}

/** Refuses what is no option of a new store. */
export function checkCreateOptions(options: CreateCollectionOptions): void {
  checkOptions(options, createOptions)
}
