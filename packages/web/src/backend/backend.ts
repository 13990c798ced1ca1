// The contract of whoever answers the page: a service over HTTP, or a worker in this browser. Operations have the names and the JSON of the service.

export type ServedKind = 'model' | 'index' | 'collection' | 'memory'

export interface ServedName {
  readonly kind: ServedKind
  readonly name: string
}

/** The most that the service answers at once: labels, neighbors, documents or memories. */
export const mostAtOnce = 1000

export interface LoadProgress {
  /** In bytes. */
  readonly loaded: number
  readonly total: number
  readonly what: 'loading' | 'opening'
}

export interface Backend {
  readonly kind: 'http' | 'worker'
  /** What is served, in order. Rejects if nothing could be loaded. */
  served(): Promise<ServedName[]>
  /** One operation of the service. Rejects with a Problem. */
  call<Answer>(kind: ServedKind, name: string, operation: string, input: object, signal?: AbortSignal): Promise<Answer>
  /** Worker only: called while files load. */
  onProgress?: (progress: LoadProgress) => void
}

/** Why a call failed, as the service says it. Status 0 means that no answer came. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly hint: string | undefined

  constructor(status: number, code: string, message: string, hint?: string) {
    super(message)
    this.name = 'Problem'
    this.status = status
    this.code = code
    this.hint = hint
  }
}
