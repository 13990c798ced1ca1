// How an index, a classifier or a memory gives its memory back: when `free` is called, at the end of a `using` block, or some time
// after nothing refers to it any more. Once freed, every use is refused.

import { EngineError } from '../errors.ts'
import type { Steps } from '../long-work.ts'
import type { Disposes } from '../web-types.ts'
import { isOutOfMemory } from './collection.ts'
import type { Engine } from './engine.ts'

/** The symbol that `using` calls; for runtimes without it, the one that compilers of `using` fall back on. */
export const dispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose')

/** The memory of one object. Invariant: it never refers to the object, which otherwise could not be collected. */
export class Holding {
  /** Who holds it, for messages: 'ExactIndex'. */
  readonly #name: string
  /** Absent if the memory is JavaScript's own. */
  readonly #lease: Engine | undefined
  #freed = false

  constructor(name: string, lease?: Engine) {
    this.#name = name
    this.#lease = lease
  }

  /** Refuses calls after `free`. */
  check(): void {
    if (!this.#freed) return
    throw new EngineError('FREED', `this ${this.#name} was freed, so it cannot be used any more`, {
      hint: 'Call free(), or leave the `using` block, only when you are done with it. Load or fit it again.',
    })
  }

  /** Once, and after all running batches. */
  free(): void {
    if (this.#freed) return
    this.#freed = true
    unused.unregister(this)
    this.#lease?.readers.discard(() => this.#lease?.arena.free())
  }
}

/** Frees what is held by objects that were collected. */
const unused = new FinalizationRegistry<Holding>(holding => holding.free())

export interface Owned extends Disposes {}

/** What every index, classifier and memory is: something that holds memory and gives it back. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the class defines what the interface promises
export abstract class Owned {
  /** For `using`: the same as `free`. Not a method, because declarations can name its symbol only with the types of `using`. */
  static {
    const value = function (this: Owned): void {
      this.free()
    }
    Object.defineProperty(Owned.prototype, dispose, { value, configurable: true, writable: true })
  }

  readonly #holding: Holding

  constructor(holding: Holding) {
    this.#holding = holding
    unused.register(this, holding, holding)
  }

  /**
   * Frees the memory, after any running batches. Every later call throws, except `free`, which does nothing. Without it, the memory is
   * freed when the object is garbage-collected.
   */
  free(): void {
    this.#holding.free()
  }

  /** Every method calls this first. */
  protected checkLive(): void {
    this.#holding.check()
  }
}

/** Makes an object from a lease of `engine` and its holding. Frees the lease if `make` throws. */
export function lend<T>(engine: Engine, name: string, make: (lease: Engine, holding: Holding) => T): T {
  const lease = engine.lease()
  const holding = new Holding(name, lease)
  try {
    return make(lease, holding)
  } catch (error) {
    holding.free()
    throw error
  }
}

/** The same for work that takes time, and can wait for memory. */
export function lendFor<T>(
  engine: Engine,
  name: string,
  make: (lease: Engine, holding: Holding) => Promise<T>,
): Promise<T> {
  return withRoom(engine, () => lendWhile(engine, name, make))
}

/** The same for callers that have made room. */
export async function lendWhile<T>(
  engine: Engine,
  name: string,
  make: (lease: Engine, holding: Holding) => Promise<T>,
): Promise<T> {
  const lease = engine.lease()
  const holding = new Holding(name, lease)
  try {
    return await make(lease, holding)
  } catch (error) {
    holding.free()
    throw error
  }
}

/** The same in steps. Frees the lease if they are abandoned, too. */
export function* lendInSteps<T>(
  engine: Engine,
  name: string,
  make: (lease: Engine, holding: Holding) => Steps<T>,
): Steps<T> {
  const lease = engine.lease()
  const holding = new Holding(name, lease)
  let made = false
  try {
    const object = yield* make(lease, holding)
    made = true
    return object
  } finally {
    if (!made) holding.free()
  }
}

/** If `work` runs out of memory, frees that of unused objects and calls `work` again. */
export async function withRoom<T>({ arena }: Engine, work: () => Promise<T> | T): Promise<T> {
  await arena.tidy()
  try {
    return await work()
  } catch (error) {
    if (!isOutOfMemory(error) || !(await arena.reclaim())) throw error
    return work()
  }
}
