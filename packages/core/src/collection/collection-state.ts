// Keeps the parts of a collection consistent: documents, their words, their vectors, and which rows are holes. Input is checked and memory
// allocated before anything changes, so that a document is stored as a whole or not at all.

import type { Id } from '../ids/id.ts'
import { isOutOfMemory } from '../kernels/collection.ts'
import type { Engine } from '../kernels/engine.ts'
import { ListMask } from '../search/filters/list-mask.ts'
import { RowMasks } from '../search/filters/row-masks.ts'
import type { CollectionSettings } from './collection-options.ts'
import { type StoredDocument, textsOf } from './document.ts'
import { DocumentTable, type Entry } from './document-table.ts'
import { FilterCache } from './filters/filter-cache.ts'
import { HoleCloser, type HoleLimits } from './hole-closer.ts'
import { TextIndex } from './text/text-index.ts'
import type { CountedTexts } from './text/text-lists.ts'
import { VectorIndex } from './vectors/vector-index.ts'

/** Where a document will be stored. */
interface Room {
  readonly texts: CountedTexts
  readonly key: number | undefined
}

export class CollectionState<Metadata extends object> {
  readonly settings: CollectionSettings
  /** Whether documents without a vector get one from `embed`, here or where the file was written. */
  embeds = false
  /** Whoever frees the memory when it is garbage-collected: not while work in the background refers to this state. */
  owner: object | undefined
  readonly table = new DocumentTable<Metadata>()
  readonly text: TextIndex
  readonly vectors: VectorIndex
  readonly masks: RowMasks
  readonly listMask: ListMask
  readonly filters: FilterCache<Metadata>
  readonly holes: HoleCloser<Metadata>

  /**
   * `lease` is freed with the collection. Vectors have their own leases of `engine`: a forest may be grown while the collection is
   * freed.
   */
  constructor(lease: Engine, engine: Engine, settings: CollectionSettings, limits?: HoleLimits) {
    this.settings = settings
    this.text = new TextIndex(lease, settings)
    const { metric, forest, forestFrom } = settings
    const from = forestFrom === false ? Number.POSITIVE_INFINITY : forestFrom
    this.vectors = new VectorIndex(engine, { metric, forest, forestFrom: from })
    this.masks = new RowMasks(lease.arena)
    this.listMask = new ListMask(lease.arena)
    this.filters = new FilterCache(this.table)
    this.holes = new HoleCloser(this, limits)
  }

  /** `vector` is prepared. */
  upsert(document: StoredDocument<Metadata>, vector: Float32Array | undefined): void {
    const { texts, key } = this.#makeRoom(document, vector)
    const old = this.table.get(document.id)
    if (old) this.#drop(old)
    const { row } = this.table.add(document, key)
    this.text.add(row, texts)
    this.holes.changed()
  }

  remove(id: Id): boolean {
    const entry = this.table.get(id)
    if (!entry) return false
    this.#drop(entry)
    this.holes.changed()
    return true
  }

  /** Stops what is done in the background. */
  free(): void {
    this.vectors.free()
    this.filters.free()
    this.holes.abandon()
  }

  /** Only this can fail; nothing has changed then. */
  #makeRoom(document: StoredDocument<Metadata>, vector: Float32Array | undefined): Room {
    try {
      const texts = this.text.prepare(this.table.rows, textsOf(document))
      return { texts, key: vector && this.vectors.add(vector) }
    } catch (error) {
      // Storing the document is more important than closing holes.
      if (!isOutOfMemory(error) || !this.holes.abandon()) throw error
      return this.#makeRoom(document, vector)
    }
  }

  #drop(entry: Entry<Metadata>): void {
    this.text.remove(textsOf(entry.document))
    this.table.remove(entry)
    this.masks.remove(entry.row)
    if (entry.vectorKey !== undefined) this.vectors.remove(entry.vectorKey)
  }
}
