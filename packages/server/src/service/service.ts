// A service: any number of models, indexes, collections and memories by name, opened from files. Adapters (HTTP, MCP) hold one and
// call it; they do nothing themselves.

import { resolve } from 'node:path'
import { EngineError } from '@vicinal/core'
import { type Check, checkOptions, checkSignal, checkTexts, optionTable, throwIfAborted } from '@vicinal/core/internals'
import { measureModels } from './insight/measure-models.ts'
import { namedPath } from './named-path.ts'
import { type NamedPath, openServed } from './open-served.ts'
import type { Served } from './served.ts'
import { plural, ServedTable } from './served-table.ts'

export { plural, type ServedName, type ServiceCalls } from './served-table.ts'

/** Options of `Service.open`. */
export interface ServiceOptions {
  /** Files of labeled items to measure models on, for their quality: `data.tsv`, or `model=data.tsv` if several models are served. */
  readonly tests?: readonly string[]
  /** Stops the opening. */
  readonly signal?: AbortSignal | undefined
}

export const serviceChecks: Readonly<Record<keyof ServiceOptions, Check>> = { tests: checkTexts, signal: checkSignal }
const serviceOptions = optionTable<ServiceOptions>(serviceChecks)

export class Service extends ServedTable {
  /** Opens files and folders. Each is served under its own name without the extension, or as `name=path` says. */
  static async open(paths: readonly string[], options: ServiceOptions = {}): Promise<Service> {
    checkTexts('paths', paths)
    checkOptions(options, serviceOptions)
    const { tests = [], signal } = options
    const named = paths.map(namedPath)
    refuseTwice(named)
    const opened: Served[] = []
    try {
      for (const given of named) {
        const served = await openServed(given, signal)
        opened.push(served)
        if (opened.filter(({ kind, name }) => kind === served.kind && name === served.name).length > 1) {
          throw new EngineError('INVALID_OPTION', `two ${plural(served.kind)} would be served as "${served.name}"`, {
            hint: `Name one of them: other=${given.path}`,
          })
        }
      }
      await measureModels(opened, tests)
      throwIfAborted(signal)
      return new Service(opened)
    } catch (error) {
      for (const one of opened) await one.close()
      throw error
    }
  }
}

/** Two stores of one file would be told that another process writes it. */
function refuseTwice(given: readonly NamedPath[]): void {
  for (const [i, { name, path }] of given.entries()) {
    if (!given.slice(0, i).some(other => other.name === name && resolve(other.path) === resolve(path))) continue
    throw new EngineError('INVALID_OPTION', `you gave ${path} twice`)
  }
}
