// The durable stores of memories and collections.

export { CollectionStore, type CollectionStoreStats } from './collection/collection-store.ts'
export type { CreateCollectionOptions, OpenCollectionOptions } from './collection/collection-store-options.ts'
export type { SiteFile } from './site/site-file.ts'
export { type SiteOptions, type WrittenSite, writeSite } from './site/write-site.ts'
export type { GivenMemories, GivenMemory, InsertManyOptions } from './store/insert-many.ts'
export { MemoryStore, type StoreStats } from './store/memory-store.ts'
export { isCollectionStore, isMemoryStore } from './store/store-folder.ts'
export {
  type CreateStoreOptions,
  type OpenStoreOptions,
  type SnapshotOptions,
  storeDefaults,
} from './store/store-options.ts'
