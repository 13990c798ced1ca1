// The public surface of collections, apart from the engine: a separate entry point, loaded on demand.

export { Collection, type ListOptions, type UpsertManyOptions, type UpsertOptions } from './collection/collection.ts'
export {
  type CollectionChange,
  type CollectionLoadOptions,
  type CollectionOptions,
  type CollectionPlace,
  type CollectionSettings,
  type CollectionShape,
  collectionDefaults,
} from './collection/collection-options.ts'
export type { CollectionStats, FieldStats } from './collection/collection-stats.ts'
export type { CollectionDocument, StoredDocument } from './collection/document.ts'
export type { GivenDocuments } from './collection/document-batches.ts'
export type { Embed } from './collection/embedder.ts'
export type { Condition, MetadataConditions, MetadataFilter, Primitive } from './collection/filters/metadata-filter.ts'
export type { FusionName, FusionWeights } from './collection/fusion.ts'
export type { Because, CollectionHit, CollectionQuery } from './collection/search-request.ts'
export type { MatchedWord } from './collection/text/text-index.ts'
export type { VectorStats } from './collection/vectors/vector-index.ts'
