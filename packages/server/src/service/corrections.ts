// What people told a model: items with their right labels. Each is a training row of the model from then on, and can be taken back.
// A correction is on disk before it is acknowledged; the model file stays as it is.

import type { Classifier, LabeledItems } from '@vicinal/core'
import { EngineError } from '@vicinal/core'
import { NotFound } from './not-found.ts'
import { SideLog } from './side-log.ts'

/** An item as it travels in JSON: a text or a vector. */
export type PlainItem = { readonly text: string } | { readonly vector: readonly number[] }

/** The right labels of an item, as a person gave them. */
export interface Correction {
  readonly id: string
  readonly item: PlainItem
  readonly labels: readonly string[]
  /** In milliseconds since 1970. */
  readonly at: number
  /** Why the model could not learn it; absent if it did. That happens when a model is replaced by one that knows none of the words. */
  readonly refused?: string
}

type Change = ({ readonly do: 'learn' } & Omit<Correction, 'refused'>) | { readonly do: 'undo'; readonly id: string }

export class Corrections {
  readonly #model: Classifier
  readonly #log: SideLog
  readonly #now: () => number
  readonly #kept = new Map<string, Correction>()
  /** By item: a second correction of the same item replaces the first. */
  readonly #byItem = new Map<string, string>()
  #last = 0

  private constructor(model: Classifier, log: SideLog, now: () => number) {
    this.#model = model
    this.#log = log
    this.#now = now
  }

  /** Opens the corrections of the model file `path`, and teaches them to the model. */
  static async open(path: string, model: Classifier, now: () => number = Date.now): Promise<Corrections> {
    const log = await SideLog.open(path)
    try {
      const corrections = new Corrections(model, log, now)
      await log.replay(record => corrections.#repeat(JSON.parse(record) as Change))
      return corrections
    } catch (error) {
      await log.close()
      throw error
    }
  }

  get count(): number {
    return this.#kept.size
  }

  /** Oldest first. */
  list(): Correction[] {
    return [...this.#kept.values()]
  }

  /** Teaches the model the right labels of an item. Resolves when that is on disk. */
  async learn(item: PlainItem, labels: readonly string[]): Promise<Correction> {
    const correction = { id: `correction-${this.#last + 1}`, item, labels, at: this.#now() }
    const replaced = this.#byItem.get(JSON.stringify(item))
    // First the one that it replaces, so that an item never counts twice. If the model refuses the new one, the old one stays.
    const earlier = replaced === undefined ? undefined : this.#kept.get(replaced)
    if (earlier) this.#unteach(earlier)
    try {
      this.#teach(correction)
    } catch (error) {
      if (earlier) this.#teach(earlier)
      throw error
    }
    if (earlier) this.#forget(earlier)
    this.#keep(correction)
    if (earlier) void this.#write({ do: 'undo', id: earlier.id }).catch(() => {}) // the next write reports it
    await this.#write({ do: 'learn', ...correction })
    return correction
  }

  /** Takes a correction back. Resolves when that is on disk. */
  async undo(id: string): Promise<Correction> {
    const correction = this.#kept.get(id)
    if (!correction) {
      const hint = 'It was taken back, or a later correction of the same item replaced it.'
      throw new NotFound(`there is no correction "${id}"`, hint)
    }
    this.#unteach(correction)
    this.#forget(correction)
    await this.#write({ do: 'undo', id })
    return correction
  }

  close(): Promise<void> {
    return this.#log.close()
  }

  #teach({ id, item, labels }: Correction): void {
    // Of one kind: the model says if it is the wrong one.
    this.#model.partialFit([{ id, ...item, labels }] as unknown as LabeledItems)
  }

  #unteach({ id, refused }: Correction): void {
    if (refused === undefined) this.#model.remove([id])
  }

  #keep(correction: Correction): void {
    this.#kept.set(correction.id, correction)
    this.#byItem.set(JSON.stringify(correction.item), correction.id)
    this.#last = Math.max(this.#last, Number(correction.id.replace('correction-', '')))
  }

  #forget({ id, item }: Correction): void {
    this.#kept.delete(id)
    this.#byItem.delete(JSON.stringify(item))
  }

  #write(change: Change): Promise<void> {
    return this.#log.write(JSON.stringify(change))
  }

  /** A change that the log has. A model of later may refuse what the model of then had learned: that is listed, and stops nothing. */
  #repeat(change: Change): void {
    if (change.do === 'undo') {
      const correction = this.#kept.get(change.id)
      if (!correction) throw new EngineError('BAD_DATA', `correction ${change.id} is taken back, but was never made`)
      this.#unteach(correction)
      this.#forget(correction)
      return
    }
    const { do: _, ...correction } = change
    try {
      this.#teach(correction)
      this.#keep(correction)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      this.#keep({ ...correction, refused: error.message })
    }
  }
}
