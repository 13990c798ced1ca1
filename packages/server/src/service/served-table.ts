// What is served by name, and the operations on it. It knows neither disks nor HTTP: a service fills it from files, a static site from what its
// page loads.

import { EngineError } from '@vicinal/core'
import { issuesText } from './input/issues-text.ts'
import { JsonBody } from './input/json-body.ts'
import { NotFound } from './not-found.ts'
import type { Operation } from './operation.ts'
import { findOperation } from './operations.ts'
import type { Served, ServedKind } from './served.ts'
import { ShuttingDown } from './shutting-down.ts'

/** One thing that is served. */
export interface ServedName {
  readonly kind: ServedKind
  readonly name: string
}

/** What adapters need of a service. It may run in this thread or in another. */
export interface ServiceCalls {
  /** What is served, in the order it was given. */
  readonly served: readonly ServedName[]
  /** Runs an operation, and resolves to its answer as JSON text. `input`, an object or a `JsonBody`, is checked here. */
  call(kind: ServedKind, name: string, operation: string, input: unknown, signal?: AbortSignal): Promise<string>
  /** Waits for calls that have begun, and closes everything. */
  close(): Promise<void>
}

export class ServedTable implements ServiceCalls {
  readonly #served: ReadonlyMap<string, Served>
  #closing: Promise<void> | undefined

  constructor(served: readonly Served[]) {
    this.#served = new Map(served.map(one => [key(one.kind, one.name), one]))
  }

  get served(): readonly ServedName[] {
    return [...this.#served.values()].map(({ kind, name }) => ({ kind, name }))
  }

  async call(
    kind: ServedKind,
    name: string,
    operation: string,
    input: unknown,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<string> {
    if (this.#closing) throw new ShuttingDown()
    const served = this.#served.get(key(kind, name))
    if (!served) throw this.#unknown(kind, name)
    const found = findOperation(kind, operation)
    if (!found) throw new NotFound(`${plural(kind)} have no operation "${operation}"`)
    const answer = await found.run(served as never, checkedInput(found, input), signal) // of the operation's kind
    return JSON.stringify(answer, (_, value) => (ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value))
  }

  close(): Promise<void> {
    this.#closing ??= Promise.all([...this.#served.values()].map(one => one.close())).then(() => {})
    return this.#closing
  }

  #unknown(kind: ServedKind, name: string): NotFound {
    const names = this.served.filter(one => one.kind === kind).map(one => one.name)
    const known = names.length > 0 ? `${plural(kind)}: ${names.join(', ')}` : `no ${kind} is served`
    return new NotFound(`there is no ${kind} "${name}"`, `Known ${known}.`.replace('Known no', 'No'))
  }
}

/** 'memory' → 'memories'. */
export function plural(kind: ServedKind): string {
  return { model: 'models', index: 'indexes', collection: 'collections', memory: 'memories' }[kind]
}

function key(kind: ServedKind, name: string): string {
  return `${kind}/${name}`
}

function checkedInput(operation: Operation, input: unknown): unknown {
  const given = input instanceof JsonBody ? input.parse() : input
  const parsed = operation.input.safeParse(given)
  if (parsed.success) return parsed.data
  throw new EngineError('INVALID_OPTION', issuesText(parsed.error, operation.input, given), {
    hint: `See the operation ${operation.name} of ${plural(operation.kind)} in /docs.`,
  })
}
