// What a visitor changed, in the browser's own database: it survives reloads, and never leaves the browser. One tab writes at a time: two would
// not see each other's changes.

import { EngineError } from '@vicinal/core'
import type { ChangeLog } from '@vicinal/server/operations'

const store = 'changes'

interface Trouble {
  readonly why: string
  readonly hint: string
}

const otherTab: Trouble = {
  why: 'this site is open in another tab, which keeps your changes',
  hint: 'Close the other tab and reload.',
}

export class VisitorLog implements ChangeLog {
  readonly #database: IDBDatabase | undefined
  /** Why nothing can be kept, and what helps; undefined if changes are kept. */
  readonly #trouble: Trouble | undefined

  private constructor(database: IDBDatabase | undefined, trouble: Trouble | undefined) {
    this.#database = database
    this.#trouble = trouble
  }

  /** `site` and `name` tell it from the logs of other sites on the same host, and of other files. */
  static async open(site: string, name: string): Promise<VisitorLog> {
    const key = `vicinal ${site} ${name}`
    try {
      const database = await openDatabase(key)
      const isFirst = await holdsLock(key)
      return new VisitorLog(database, isFirst ? undefined : otherTab)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return new VisitorLog(undefined, {
        why: `this browser keeps no changes: ${reason}`,
        hint: 'Allow this site to store data, or leave the private window, and reload.',
      })
    }
  }

  async replay(apply: (record: string) => void | Promise<void>): Promise<void> {
    if (!this.#database) return
    const records = await answered(this.#database.transaction(store).objectStore(store).getAll())
    for (const record of records) await apply(record as string)
  }

  /** Resolves when the browser has stored it. */
  async write(record: string): Promise<void> {
    this.check()
    const transaction = this.#database?.transaction(store, 'readwrite', { durability: 'strict' })
    transaction?.objectStore(store).add(record)
    await new Promise<void>((resolve, reject) => {
      if (!transaction) return resolve()
      transaction.oncomplete = () => resolve()
      transaction.onabort = () =>
        reject(
          notKept({
            why: transaction.error?.message ?? 'the browser refused',
            hint: 'Free some space for the browser.',
          }),
        )
    })
  }

  /** Refuses changes that could not be kept. */
  check(): void {
    if (this.#trouble !== undefined) throw notKept(this.#trouble)
  }

  async close(): Promise<void> {
    this.#database?.close()
  }
}

function notKept({ why, hint }: Trouble): EngineError {
  return new EngineError('UNSUPPORTED', `your change cannot be kept: ${why}`, { hint })
}

function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(store, { autoIncrement: true })
  return answered(request)
}

function answered<Answer>(request: IDBRequest<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** Holds the lock until the tab is closed; false if another tab has it. Pages without encryption have no locks, and do without. */
async function holdsLock(name: string): Promise<boolean> {
  if (!navigator.locks) return true
  return new Promise((resolve, reject) => {
    const forever = (lock: Lock | null) => {
      resolve(lock !== null)
      return lock === null ? undefined : new Promise<void>(() => {})
    }
    navigator.locks.request(name, { ifAvailable: true }, forever).catch(reject)
  })
}
