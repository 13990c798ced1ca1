// What was measured of a model while it is served: its quality on labeled items, and the map of its labels. Kept until something changes.

import { type Classifier, EngineError, type LabeledItems } from '@vicinal/core'
import { type ClassifierQuality, type LabelPoint, mapLabels, measureQuality } from '@vicinal/core/inspect'

/** The last measure of a model, with what it was measured on and what the model costs. */
export interface Quality extends ClassifierQuality {
  /** In milliseconds since 1970. */
  readonly at: number
  /** The name of the file, or 'request'. */
  readonly source: string
  readonly modelBytes: number
  /** Training rows. */
  readonly rows: number
}

/** How often a measurement restarts because the model was corrected meanwhile. */
const mostTries = 3

export class ModelInsight {
  readonly #model: Classifier
  readonly #bytes: number
  /** Why nothing could be measured when the service started. */
  failure: unknown
  #quality: Quality | undefined
  #map: { readonly state: string; readonly points: Promise<LabelPoint[]> } | undefined

  constructor(model: Classifier, bytes: number) {
    this.#model = model
    this.#bytes = bytes
  }

  /** Undefined before something was measured. */
  get quality(): Quality | undefined {
    return this.#quality
  }

  /** Takes what was measured elsewhere, such as when a site was written. */
  keep(quality: Quality): void {
    this.#quality = quality
  }

  async measure(items: LabeledItems, source: string, signal?: AbortSignal): Promise<Quality> {
    const measured = await this.#tried(items, signal)
    const { rows } = this.#model
    this.failure = undefined
    this.#quality = { ...measured, at: Date.now(), source, modelBytes: this.#bytes, rows }
    return this.#quality
  }

  /** The map of the `limit` most frequent labels. Computed once, until the model changes. */
  map(limit: number): Promise<LabelPoint[]> {
    const state = [limit, this.#model.rows, this.#model.labelNames.length].join()
    if (this.#map?.state !== state) {
      const points = mapLabels(this.#model, { limit })
      this.#map = { state, points }
      points.catch(() => {
        this.#map = undefined
      })
    }
    return this.#map.points
  }

  async #tried(items: LabeledItems, signal: AbortSignal | undefined): Promise<ClassifierQuality> {
    for (let tries = 1; ; tries++) {
      try {
        return await measureQuality(this.#model, items, { signal })
      } catch (error) {
        const isChanged = error instanceof EngineError && /changed while/.test(error.message)
        if (!isChanged || tries === mostTries) throw error
      }
    }
  }
}
