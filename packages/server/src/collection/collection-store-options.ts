// The options of a collection's store, and their checks.

import { type CollectionPlace, type CollectionShape, collectionDefaults } from '@vicinal/core/collection'
import { type Check, checkBoolean, checkedLater, checkOptions, optionTable } from '@vicinal/core/internals'
import { type SnapshotOptions, storeChecks } from '../store/store-options.ts'

/** Options of `CollectionStore.create`. The collection's own options cannot change later. */
export interface CreateCollectionOptions extends SnapshotOptions, CollectionShape, Omit<CollectionPlace, 'onChange'> {}

/** Options of `CollectionStore.open`. */
export interface OpenCollectionOptions extends SnapshotOptions, Omit<CollectionPlace, 'onChange'> {
  /** Opens the collection as it is now, for reading only, even while another process writes. Default false. */
  readonly readOnly?: boolean
}

// The collection checks `embed`.
const openOptions = optionTable<OpenCollectionOptions>({ ...storeChecks, embed: checkedLater, readOnly: checkBoolean })
// The compiler knows the names of the defaults; their values are checked by the collection.
const shapeChecks = Object.fromEntries(Object.keys(collectionDefaults).map(name => [name, checkedLater])) as Readonly<
  Record<keyof CollectionShape, Check>
>
const createOptions = optionTable<CreateCollectionOptions>({ ...storeChecks, embed: checkedLater, ...shapeChecks })

/** Checks the options of `open`. */
export function checkOpenOptions(options: OpenCollectionOptions): void {
  checkOptions(options, openOptions)
}

/** Checks the options of `create`. */
export function checkCreateOptions(options: CreateCollectionOptions): void {
  checkOptions(options, createOptions)
}
