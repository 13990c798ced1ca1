// What a service can serve, by the kind of its file or folder.

import type { Classifier, OpenedIndex } from '@vicinal/core'
import type { Collection } from '@vicinal/core/collection'
import type { CollectionStore } from '../collection/collection-store.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import type { Corrections } from './corrections.ts'
import type { ModelInsight } from './insight/model-insight.ts'

/** What is served: a classifier, an index, a collection or a memory. */
export type ServedKind = 'model' | 'index' | 'collection' | 'memory'

interface Opened {
  readonly name: string
  readonly path: string
  /** Waits for pending changes, and frees the memory. */
  close(): Promise<void>
}

export interface ServedModel extends Opened {
  readonly kind: 'model'
  readonly model: Classifier
  readonly corrections: Corrections
  /** What was measured of it. */
  readonly insight: ModelInsight
  /** Size of its file. */
  readonly bytes: number
  /** When its file was written, in milliseconds since 1970. */
  readonly modifiedAt: number
}

export interface ServedIndex extends Opened {
  readonly kind: 'index'
  readonly opened: OpenedIndex
  /** Size of its file. */
  readonly bytes: number
}

/** What a collection and its store have in common, for changes that are on disk when they are acknowledged. */
export type DurableCollection = Pick<
  CollectionStore,
  'get' | 'has' | 'list' | 'count' | 'search' | 'checkDocuments' | 'upsertMany' | 'remove' | 'settings'
> & { stats(): ReturnType<Collection['stats']> }

export interface ServedCollection extends Opened {
  readonly kind: 'collection'
  readonly collection: DurableCollection
}

export interface ServedMemory extends Opened {
  readonly kind: 'memory'
  readonly memory: MemoryStore
}

/** Anything that a service serves, under its name. */
export type Served = ServedModel | ServedIndex | ServedCollection | ServedMemory

/** What is served of one kind. */
export type ServedOf<Kind extends ServedKind> = Extract<Served, { readonly kind: Kind }>
