// Keeps the parts of a collection consistent: documents, their words, their vectors, and which rows are holes. Input is checked and memory
// allocated before anything changes, so that a document is stored as a whole or not at all.

import type { Id } from '../ids/id.ts'
import { isOutOfMemory } from '../kernels/collection.ts'
import type { Engine } from '../kernels/engine.ts'
import { RowMasks } from '../search/filters/row-masks.ts'
import type { CollectionSettings } from './collection-options.ts'
import { type StoredDocument, textsOf } from './document.ts'
import { DocumentTable, type Entry } from './document-table.ts'
import { FilterCache } from './filters/filter-cache.ts'
import { TextIndex } from './text/text-index.ts'
import { VectorIndex } from './vectors/vector-index.ts'

/** Holes are closed when there are this many and they are this share of the rows. */
const fewestHoles = 1024
const holeShare = 0.25

export class CollectionState<Metadata extends object> {
  readonly settings: CollectionSettings
  /** Whether documents without a vector get one from `embed`, here or where the file was written. */
  embeds = false
  readonly table = new DocumentTable<Metadata>()
  readonly text: TextIndex
  readonly vectors: VectorIndex
  readonly masks: RowMasks
  readonly filters: FilterCache<Metadata>
  /** Number of holes left because there was no memory to close them. */
  #mostHoles = 0

  /**
   * `lease` is freed with the collection. Vectors have their own leases of `engine`: a forest may be grown while the collection is
   * freed.
   */
  constructor(lease: Engine, engine: Engine, settings: CollectionSettings) {
    this.settings = settings
    this.text = new TextIndex(lease, settings)
    const { metric, forest, forestFrom } = settings
    const from = forestFrom === false ? Number.POSITIVE_INFINITY : forestFrom
    this.vectors = new VectorIndex(engine, { metric, forest, forestFrom: from })
    this.masks = new RowMasks(lease.arena)
    this.filters = new FilterCache(this.table)
  }

  /** `vector` is prepared. */
  upsert(document: StoredDocument<Metadata>, vector: Float32Array | undefined): void {
    const texts = this.text.prepare(this.table.rows, textsOf(document))
    const key = vector && this.vectors.add(vector)
    const old = this.table.get(document.id)
    if (old) this.#drop(old)
    const { row } = this.table.add(document, key)
    this.text.add(row, texts)
    this.#compactIfWorn()
  }

  remove(id: Id): boolean {
    const entry = this.table.get(id)
    if (!entry) return false
    this.#drop(entry)
    this.#compactIfWorn()
    return true
  }

  /** Closes the holes of removed documents. */
  compact(): void {
    const { table } = this
    if (table.live === table.rows) return
    this.text.repack(table.newRows(), table.live)
    table.compact()
    this.masks.reset()
    this.#mostHoles = 0
  }

  #drop(entry: Entry<Metadata>): void {
    this.text.remove(textsOf(entry.document))
    this.table.remove(entry)
    this.masks.remove(entry.row)
    if (entry.vectorKey !== undefined) this.vectors.remove(entry.vectorKey)
  }

  #compactIfWorn(): void {
    const { rows, live } = this.table
    if (rows - live <= Math.max(fewestHoles, holeShare * rows, this.#mostHoles)) return
    try {
      this.compact()
    } catch (error) {
      if (!isOutOfMemory(error)) throw error
      // Keeps the holes, and tries again when there are twice as many.
      this.#mostHoles = 2 * (rows - live)
    }
  }
}
