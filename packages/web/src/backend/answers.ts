// The JSON of the service's answers, as far as the page uses it.

export type Id = string | number

export interface NamedLabel {
  readonly label: string
  readonly name?: string
}

export interface Suggestion extends NamedLabel {
  readonly score: number
}

export interface KnownLabel extends NamedLabel {
  /** How many training rows have it. */
  readonly rows: number
}

export interface Explanation extends Suggestion {
  readonly neighbors: readonly {
    readonly id: Id
    readonly text?: string
    readonly similarity: number
    readonly share: number
  }[]
  readonly features: readonly { readonly feature: string; readonly share: number }[]
}

export type Item = { readonly text: string } | { readonly vector: readonly number[] }

export interface Correction {
  readonly id: string
  readonly item: Item
  /** Undefined if only labels were rejected; empty if no label fits. */
  readonly labels?: readonly string[]
  readonly rejected?: readonly string[]
  /** In milliseconds since 1970. */
  readonly at: number
  readonly refused?: string
}

export interface ModelFacts {
  readonly name: string
  readonly method: string
  readonly options: Readonly<Record<string, unknown>>
  readonly rows: number
  readonly labels: number
  readonly takesTexts: boolean
  readonly corrections: number
  readonly bytes: number
  readonly language?: string
  readonly languages?: readonly string[]
  readonly trees?: number
  readonly quality?: boolean
}

export interface LabelQuality extends NamedLabel {
  readonly support: number
  readonly predicted: number
  readonly correct: number
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

export interface ReliabilityBin {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly meanScore: number
  /** The share that is right. */
  readonly right: number
}

export interface Quality {
  readonly n: number
  readonly at: number
  readonly source: string
  readonly metrics: Readonly<Record<string, number>>
  readonly millisPerItem: number
  readonly modelBytes: number
  readonly rows: number
  readonly perLabel: readonly LabelQuality[]
  readonly reliability: readonly ReliabilityBin[]
}

export interface MapPoint extends KnownLabel {
  readonly x: number
  readonly y: number
}

export interface IndexFacts {
  readonly name: string
  readonly indexKind: string
  readonly metric: string
  readonly rows: number
  readonly options: Readonly<Record<string, unknown>>
  readonly layout: 'dense' | 'sparse' | 'text'
  readonly dims?: number
  readonly bytes: number
  readonly efforts: readonly object[]
  readonly searchDefaults: object
}

export interface Neighbor {
  readonly id: Id
  readonly distance: number
  readonly vector?: readonly number[]
  readonly text?: string
}

export interface FoundNeighbors {
  readonly neighbors: readonly Neighbor[]
  readonly micros?: number
  readonly candidates?: number
}

export interface StoredItem {
  readonly id: Id
  readonly vector?: readonly number[]
  readonly text?: string
}

export interface CurvePoint {
  readonly recall: number
  readonly microsPerQuery: number
  readonly candidates?: number
  readonly options: object
}

export interface StoredDocument {
  readonly id: Id
  readonly text?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly metadata?: Readonly<Record<string, unknown>>
}

export interface DocumentHit {
  readonly id: Id
  readonly score: number
  readonly distance?: number
  readonly document: StoredDocument
  readonly because?: { readonly words?: readonly { readonly word: string; readonly asked: string }[] }
}

export interface CollectionFacts {
  readonly name: string
  readonly stats: Readonly<Record<string, unknown>>
  readonly settings: Readonly<Record<string, unknown>>
}

export interface StoredMemory {
  readonly id: Id
  readonly key: unknown
  readonly value: unknown
  readonly namespace?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly createdAt: number
  /** In milliseconds since 1970. */
  readonly expiresAt?: number
  /** The mean of its rewards; null if there were none. */
  readonly reward: number | null
  readonly rewards: number
}

export interface MemoryHit extends Omit<StoredMemory, 'key'> {
  readonly text?: string
  /** The expected reward. */
  readonly score: number
  readonly distance: number
  readonly query: object
}

export function nameOf({ label, name }: NamedLabel): string {
  return name ?? label
}
