// A service: any number of models, indexes, collections and memories by name, and the operations on them. Adapters (HTTP, MCP) hold one and
// call it; they do nothing themselves.

import { basename } from 'node:path'
import { EngineError } from '@vicinal/core'
import type { z } from 'zod'
import { NotFound } from './not-found.ts'
import { type NamedPath, openServed } from './open-served.ts'
import type { Operation } from './operation.ts'
import { findOperation } from './operations.ts'
import type { Served, ServedKind } from './served.ts'

/** One thing that is served. */
export interface ServedName {
  readonly kind: ServedKind
  readonly name: string
}

/** What adapters need of a service. It may run in this thread or in another. */
export interface ServiceCalls {
  /** What is served, in the order it was given. */
  readonly served: readonly ServedName[]
  /** Runs an operation, and resolves to its answer as JSON text. `input` is checked here. */
  call(kind: ServedKind, name: string, operation: string, input: unknown, signal?: AbortSignal): Promise<string>
  /** Waits for calls that have begun, and closes everything. */
  close(): Promise<void>
}

export class Service implements ServiceCalls {
  readonly #served: ReadonlyMap<string, Served>
  #closing: Promise<void> | undefined

  private constructor(served: readonly Served[]) {
    this.#served = new Map(served.map(one => [key(one.kind, one.name), one]))
  }

  /** Opens files and folders. Each is served under its own name without the extension, or as `name=path` says. */
  static async open(paths: readonly string[]): Promise<Service> {
    const opened: Served[] = []
    try {
      for (const given of paths.map(namedPath)) {
        const served = await openServed(given)
        opened.push(served)
        if (opened.filter(({ kind, name }) => kind === served.kind && name === served.name).length > 1) {
          throw new EngineError('INVALID_OPTION', `two ${plural(served.kind)} would be served as "${served.name}"`, {
            hint: `Name one of them: other=${given.path}`,
          })
        }
      }
      return new Service(opened)
    } catch (error) {
      for (const one of opened) await one.close()
      throw error
    }
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
    if (this.#closing) throw new EngineError('UNSUPPORTED', 'the service is shutting down')
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

const nameForm = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u

/** 'books=/data/books.collection', or a path whose last part gives the name. */
function namedPath(given: string): NamedPath {
  const [, asked, path = given] = /^([^=/\\]+)=(.+)$/.exec(given) ?? []
  const name = asked ?? basename(path).replace(/(?<=.)\.[^.]+$/, '')
  if (nameForm.test(name)) return { name, path }
  throw new EngineError(
    'INVALID_OPTION',
    `"${name}" cannot be a name: use letters, digits, dots, dashes and underscores`,
    {
      hint: `Name it: name=${path}`,
    },
  )
}

function checkedInput(operation: Operation, input: unknown): unknown {
  const parsed = operation.input.safeParse(input)
  if (parsed.success) return parsed.data
  throw new EngineError('INVALID_OPTION', issuesText(parsed.error), {
    hint: `See the operation ${operation.name} of ${plural(operation.kind)} in /docs.`,
  })
}

/** 'items.0.text: expected string, received number'. */
function issuesText({ issues }: z.ZodError): string {
  return issues
    .slice(0, 5)
    .map(issue => [issue.path.map(String).join('.'), issue.message].filter(part => part !== '').join(': '))
    .join('; ')
}
