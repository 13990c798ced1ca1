// The durable store of the memory.

export { MemoryStore, type StoreStats } from './store/memory-store.ts'
export { isMemoryStore } from './store/store-folder.ts'
export {
  type CreateStoreOptions,
  type OpenStoreOptions,
  type SnapshotOptions,
  storeDefaults,
} from './store/store-options.ts'
