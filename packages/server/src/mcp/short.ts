// Short answers for a language model, without fields that it cannot use.

import { saidBy } from './plain-words.ts'

const longestText = 600

export interface LongMemory {
  readonly id: string | number
  readonly value: unknown
  readonly key?: unknown
  readonly text?: string
  readonly score?: number
  readonly reward: number | null
  readonly rewards: number
  readonly namespace?: string
  readonly createdAt: number
}

export function shortMemory({
  id,
  value,
  key,
  text,
  score,
  reward,
  rewards,
  namespace,
  createdAt,
}: LongMemory): object {
  const own = text ?? (typeof key === 'string' ? key : undefined)
  return {
    id,
    ...(own !== undefined && { text: cut(own) }),
    ...(value !== null && { value: short(value) }),
    ...(score !== undefined && { score: rounded(score) }),
    ...(rewards > 0 && { rewards, meanReward: rounded(reward ?? 0) }),
    ...(namespace !== undefined && { namespace }),
    createdAt: new Date(createdAt).toISOString(),
  }
}

interface LongDocument {
  readonly id: string | number
  readonly score: number
  readonly document: {
    readonly text?: string
    readonly fields?: Readonly<Record<string, string>>
    readonly metadata?: unknown
  }
}

export function shortDocument({ id, score, document: { text, fields, metadata } }: LongDocument): object {
  return {
    ...{ id, score: rounded(score) },
    ...(text !== undefined && { text: cut(text) }),
    ...(fields && { fields: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, cut(value)])) }),
    ...(metadata !== undefined && { metadata }),
  }
}

interface LongExplanation {
  readonly label: string
  readonly score: number
  readonly neighbors: readonly { readonly text?: string; readonly id: string | number; readonly share: number }[]
  readonly features: readonly { readonly feature: string; readonly share: number }[]
}

export function shortExplanation({ label, score, neighbors, features }: LongExplanation): object {
  return {
    ...{ label, score: rounded(score) },
    similar: neighbors
      .slice(0, 3)
      .map(({ id, text, share }) => ({ text: text === undefined ? id : cut(text), share: rounded(share) })),
    words: features.slice(0, 5).map(({ feature, share }) => ({ word: feature, share: rounded(share) })),
  }
}

export interface Found extends LongMemory {
  readonly distance: number
}

/** The distance of two keys that have nothing in common. */
const unrelated = Math.SQRT2 - 1e-6

/**
 * Leaves out memories that share no word with the query, unless they were of use before. If most rewards are high, so is the expected
 * reward of any memory, and the score alone would let them through.
 */
export function related<Memory extends Found>(memories: readonly Memory[]): Memory[] {
  return memories.filter(({ distance, reward }) => distance < unrelated || (reward ?? 0) > 0)
}

/** Keeps the first of several that say the same. */
export function withoutDuplicates<Memory extends LongMemory>(memories: readonly Memory[]): Memory[] {
  const seen = new Set<string>()
  return memories.filter(({ text, key, value }) => {
    const own = text ?? key
    const said = JSON.stringify([typeof own === 'string' ? saidBy(own) : own, value])
    return !seen.has(said) && seen.add(said)
  })
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}

function cut(text: string): string {
  if (text.length <= longestText) return text
  // Not through the middle of an emoji.
  return `${text.slice(0, longestText).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** A value that is too long as JSON becomes the beginning of that JSON. */
function short(value: unknown): unknown {
  const text = JSON.stringify(value)
  return text.length > longestText ? cut(text) : value
}
