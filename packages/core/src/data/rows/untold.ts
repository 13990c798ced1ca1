// What the rows of a file do not tell: columns at the end that no row uses, labels that no row has, and the order of labels.
// svmlight and JSON Lines have no place for it, so we write a header if it is needed: in svmlight the comment
// `# vicinal {"features":6,"labels":["a","b"]}`, in JSON Lines the field "vicinal" of the first record. Other programs ignore it.

import { EngineError, type Place } from '../../errors.ts'
import type { Dataset } from '../dataset.ts'
import { maxFeatures, maxLabels, shorten } from '../limits.ts'
import { firstRepeated } from './repeated.ts'

export interface Untold {
  /** How many features there are. */
  readonly features?: number
  /** The names of all labels in their order; a number where labels have no names. */
  readonly labels?: number | readonly string[]
}

/** What to write in front, or undefined if the rows tell all: that they have `width` features and labels `told`. */
export function findUntold(
  { features, labels, labelNames }: Dataset,
  width: number,
  told: readonly string[],
): Untold | undefined {
  const columns = labels?.columns ?? 0
  const known = columns === told.length && told.every((name, i) => name === (labelNames?.[i] ?? String(i)))
  if (known && (features === undefined || features.columns === width)) return undefined
  return {
    ...(features && features.columns !== width && { features: features.columns }),
    ...(!known && { labels: labelNames ?? columns }),
  }
}

/** `value` as it was written in front; anything else is an error at `where`. */
export function checkUntold(value: unknown, where: Place): Untold {
  const { features, labels } = typeof value === 'object' && value !== null ? (value as Untold) : {} // checked below
  if (features !== undefined && !isCount(features, maxFeatures)) throw badUntold('features', maxFeatures, where)
  if (labels !== undefined && !isCount(labels, maxLabels) && !areNames(labels)) {
    throw badUntold('labels', maxLabels, where)
  }
  return { ...(features !== undefined && { features }), ...(labels !== undefined && { labels }) }
}

function isCount(value: unknown, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most
}

function areNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(name => typeof name === 'string') && firstRepeated(value) === undefined
}

function badUntold(what: string, most: number, where: Place): EngineError {
  return new EngineError('BAD_DATA', `the "vicinal" header has bad ${what}`, {
    where,
    hint: `Expected a number up to ${most}${what === 'labels' ? ' or a list of different names' : ''}.`,
  })
}

/** Labels that are known before the rows are read. */
export class DeclaredLabels {
  readonly count: number
  /** Undefined if labels are numbers. */
  readonly names: readonly string[] | undefined
  readonly #numbers: ReadonlyMap<string, number> | undefined

  constructor(labels: number | readonly string[]) {
    this.count = typeof labels === 'number' ? labels : labels.length
    this.names = typeof labels === 'number' ? undefined : labels
    this.#numbers = this.names && new Map(this.names.map((name, number) => [name, number]))
  }

  /** The number of a label; an unknown one is an error at `where`. */
  number(name: string, where: Place): number {
    const number = this.#numbers ? this.#numbers.get(name) : plainNumber(name)
    if (number !== undefined && number < this.count) return number
    throw new EngineError(
      'BAD_DATA',
      `label "${shorten(name)}" is not one of the ${this.count} labels in the "vicinal" header`,
      {
        where,
        hint: 'Correct the labels in the "vicinal" header, or remove the header.',
      },
    )
  }
}

function plainNumber(name: string): number | undefined {
  return /^(0|[1-9]\d{0,8})$/.test(name) ? Number(name) : undefined
}
