// Corrections of a model: items with the right labels, given by people. Each becomes a training row of the model, and can be undone.
// A correction is on disk before it is acknowledged; the model file stays as it is.

import type { Classifier, LabeledItems } from '@vicinal/core'
import { EngineError } from '@vicinal/core'
import { NotFound } from './not-found.ts'

/** Where changes are kept, in order: a file beside the model, or a visitor's browser. */
export interface ChangeLog {
  /** Calls `apply` with every change so far, in order. */
  replay(apply: (record: string) => void | Promise<void>): Promise<void>
  /** Throws if a change could not be kept now. Asked before something changes. */
  check?(): void
  /** Resolves when the change is kept. */
  write(record: string): Promise<void>
  close(): Promise<void>
}

/** An item as it travels in JSON: a text or a vector. */
export type PlainItem = { readonly text: string } | { readonly vector: readonly number[] }

/** What a person says about an item: at least one of the two. */
export interface CorrectedItem {
  readonly item: PlainItem
  /** All its right labels; none, if no label fits. Undefined if the person has not said: then the model is taught nothing. */
  readonly labels?: readonly string[]
  /** Labels that are wrong for it. They are not suggested for it any more. */
  readonly rejected?: readonly string[]
}

/** What a person said about an item, as it is kept. */
export interface Correction extends CorrectedItem {
  readonly id: string
  /** In milliseconds since 1970. */
  readonly at: number
  /** Why the model could not learn it; absent if it did. That happens when a model is replaced by one that knows none of the words. */
  readonly refused?: string
}

type Change = ({ readonly do: 'learn' } & Omit<Correction, 'refused'>) | { readonly do: 'undo'; readonly id: string }

const noLabels: ReadonlySet<string> = new Set()

export class Corrections {
  readonly #model: Classifier
  readonly #log: ChangeLog
  readonly #now: () => number
  readonly #kept = new Map<string, Correction>()
  #rejections = 0
  /** By item: a second correction of the same item replaces the first. */
  readonly #byItem = new Map<string, string>()
  #last = 0
  #changedAt = 0

  private constructor(model: Classifier, log: ChangeLog, now: () => number) {
    this.#model = model
    this.#log = log
    this.#now = now
  }

  /** Replays the log: teaches the model all corrections in it. */
  static async open(log: ChangeLog, model: Classifier, now: () => number = Date.now): Promise<Corrections> {
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

  /** When the last one was made, in milliseconds since 1970; 0 if there never was one. */
  get changedAt(): number {
    return this.#changedAt
  }

  /** Oldest first. */
  list(): Correction[] {
    return [...this.#kept.values()]
  }

  /** The labels that are not to be suggested for an item. */
  rejectedFor(item: PlainItem): ReadonlySet<string> {
    if (this.#rejections === 0) return noLabels
    return new Set(this.#kept.get(this.#byItem.get(JSON.stringify(item)) ?? '')?.rejected)
  }

  /**
   * Teaches the model the right labels of items: of all, or of none if it refuses one. The last correction of an item replaces those before.
   * Resolves when all are on disk.
   */
  async learn(items: readonly CorrectedItem[]): Promise<Correction[]> {
    this.#log.check?.()
    checkRejected(items, this.#model.labelNames)
    const at = this.#now()
    const corrections = items.map((given, i) => ({ id: `correction-${this.#last + 1 + i}`, ...given, at }))
    const replaced = this.#correctionsOf(items)
    // First those that are replaced, so that an item never counts twice. If the model refuses a new one, they stay.
    for (const earlier of replaced) this.#unteach(earlier)
    try {
      this.#teach(corrections)
    } catch (error) {
      this.#teach(replaced.filter(({ refused }) => refused === undefined))
      throw error
    }
    for (const earlier of replaced) this.#forget(earlier)
    for (const correction of corrections) this.#keep(correction)
    const repeated = corrections.filter(({ id, item }) => this.#byItem.get(JSON.stringify(item)) !== id)
    for (const earlier of repeated) {
      this.#unteach(earlier)
      this.#forget(earlier)
    }
    const undo = ({ id }: Correction) => ({ do: 'undo', id }) as const
    const learned = corrections.map(correction => ({ do: 'learn', ...correction }) as const)
    await this.#write([...replaced.map(undo), ...learned, ...repeated.map(undo)])
    return corrections
  }

  /** Undoes a correction. Resolves when that is on disk. */
  async undo(id: string): Promise<Correction> {
    const correction = this.#kept.get(id)
    if (!correction) {
      const hint = 'It was undone, or replaced by a later correction of the same item.'
      throw new NotFound(`there is no correction "${id}"`, hint)
    }
    this.#log.check?.()
    this.#unteach(correction)
    this.#forget(correction)
    await this.#write([{ do: 'undo', id }])
    return correction
  }

  close(): Promise<void> {
    return this.#log.close()
  }

  /** All, or none if the model refuses one. */
  #teach(corrections: readonly Correction[]): void {
    // All of one kind; the model checks that it is the right one.
    const rows = corrections.flatMap(({ id, item, labels }) => (labels ? [{ id, ...item, labels }] : []))
    if (rows.length > 0) this.#model.partialFit(rows as unknown as LabeledItems)
  }

  /** The corrections of these items so far. */
  #correctionsOf(items: readonly CorrectedItem[]): Correction[] {
    const ids = new Set(items.map(({ item }) => this.#byItem.get(JSON.stringify(item))))
    return [...ids].flatMap(id => this.#kept.get(id ?? '') ?? [])
  }

  #unteach({ id, refused }: Correction): void {
    if (refused === undefined) this.#model.remove([id])
  }

  #keep(correction: Correction): void {
    this.#kept.set(correction.id, correction)
    if (correction.rejected) this.#rejections++
    this.#changedAt = Math.max(this.#changedAt, correction.at)
    this.#byItem.set(JSON.stringify(correction.item), correction.id)
    this.#last = Math.max(this.#last, Number(correction.id.replace('correction-', '')))
  }

  #forget({ id, item, rejected }: Correction): void {
    this.#kept.delete(id)
    if (rejected) this.#rejections--
    const key = JSON.stringify(item)
    if (this.#byItem.get(key) === id) this.#byItem.delete(key)
  }

  async #write(changes: readonly Change[]): Promise<void> {
    await Promise.all(changes.map(change => this.#log.write(JSON.stringify(change))))
  }

  /** Replays one change. If the model was replaced since, it may refuse the correction: that is listed and does not stop the others. */
  #repeat(change: Change): void {
    if (change.do === 'undo') {
      const correction = this.#kept.get(change.id)
      if (!correction) throw new EngineError('BAD_DATA', `correction ${change.id} is undone, but was never made`)
      this.#unteach(correction)
      this.#forget(correction)
      return
    }
    const { do: _, ...correction } = change
    try {
      this.#teach([correction])
      this.#keep(correction)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      this.#keep({ ...correction, refused: error.message })
    }
  }
}

/** Every item must say something, and reject only labels that exist and are not among its right ones. */
function checkRejected(items: readonly CorrectedItem[], known: readonly string[]): void {
  const names = new Set(known)
  for (const [i, { labels, rejected }] of items.entries()) {
    if (!labels && !rejected?.length) {
      throw new EngineError('BAD_DATA', `item ${i} has neither labels nor rejected labels`, {
        hint: 'Give "labels", the right ones ([] if none fits), or "rejected", the wrong ones, or both.',
      })
    }
    const unknown = rejected?.find(label => !names.has(label))
    if (unknown !== undefined) {
      throw new EngineError('UNKNOWN_NAME', `item ${i} rejects "${unknown}", which is no label of the model`, {
        hint: 'Give labels by their ids, as predictions have them in "label".',
      })
    }
    const both = rejected?.find(label => labels?.includes(label))
    if (both !== undefined) throw new EngineError('BAD_DATA', `item ${i} has and rejects the label "${both}"`)
  }
}
