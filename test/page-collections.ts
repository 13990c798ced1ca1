// Collections that live in a page of a real browser, with the methods of a collection here: a call is sent to the page as JSON, and its
// answer or error comes back the same way.

import type { CollectionOptions } from '@vicinal/core/collection'
import type { Browser } from './browser.cases.ts'
import type { AnyCollection } from './collections.cases.ts'

/** Runs inside the page: makes collections, keeps them by number, and answers calls. */
const answering = `(async () => {
  const { Collection } = await import('/core/collection.mjs')
  const collections = []
  const floats = (_, value) => (value instanceof Float32Array ? { $floats: [...value] } : value)
  const revive = (_, value) => {
    if (value?.$number) return Number(value.$number)
    if (value?.$function) return eval(value.$function)
    return value?.$date === undefined ? value : new Date(value.$date)
  }
  const keep = collection => collections.push(collection) - 1
  const reopen = async number => {
    const folder = await navigator.storage.getDirectory()
    const file = await folder.getFileHandle('kept-' + number, { create: true })
    const writer = await file.createWritable()
    await writer.write(collections[number].toBytes())
    await writer.close()
    return keep(await Collection.fromBytes(await (await file.getFile()).arrayBuffer()))
  }
  const answer = ([number, method, ...given]) => {
    if (method === 'make') return keep(Collection.create(...given))
    return method === 'reopen' ? reopen(number) : collections[number][method](...given)
  }
  globalThis.ask = async call => {
    try {
      return JSON.stringify({ answer: await answer(JSON.parse(call, revive)) }, floats)
    } catch ({ name, code, message }) {
      return JSON.stringify({ error: { name, code, message } })
    }
  }
})()`

const methods = ['upsert', 'upsertMany', 'get', 'has', 'count', 'list', 'search', 'remove'] as const

export class PageCollections {
  readonly #browser: Browser
  readonly #numbers = new Map<AnyCollection, number>()
  readonly #ready: Promise<unknown>

  constructor(browser: Browser) {
    this.#browser = browser
    this.#ready = browser.run({}, answering)
  }

  async make(options: CollectionOptions): Promise<AnyCollection> {
    return this.#collection((await this.#ask([0, 'make', options])) as number) // the page gives numbers
  }

  async reopen(collection: AnyCollection): Promise<AnyCollection> {
    return this.#collection((await this.#ask([this.#numbers.get(collection), 'reopen'])) as number) // likewise
  }

  close(): Promise<void> {
    return this.#browser.close()
  }

  #collection(number: number): AnyCollection {
    const calls = methods.map(method => [method, (...given: unknown[]) => this.#ask([number, method, ...given])])
    const collection = Object.fromEntries(calls) as AnyCollection // all of its methods
    this.#numbers.set(collection, number)
    return collection
  }

  async #ask(call: readonly unknown[]): Promise<unknown> {
    await this.#ready
    const sent = await this.#browser.evaluate(`ask(${JSON.stringify(JSON.stringify(call, asSent))})`)
    const { answer, error } = JSON.parse(sent as string, asReceived)
    if (error) throw Object.assign(new Error(error.message), error)
    return answer
  }
}

/** What JSON does not have. */
function asSent(this: Record<string, unknown>, key: string, value: unknown): unknown {
  if (this[key] instanceof Date) return { $date: value }
  if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) }
  return typeof value === 'function' ? { $function: `(${value})` } : value
}

function asReceived(_: string, value: { readonly $floats?: number[] } | null): unknown {
  return value?.$floats ? Float32Array.from(value.$floats) : value
}
