// An engine: one memory, its arena, the kernels over it and the threads that share it. Most programs use the default one;
// a second engine is a second memory of up to 4 GiB.

import { EngineError } from '../errors.ts'
import {
  type Check,
  checkBoolean,
  checkedLater,
  checkFunction,
  checkHolder,
  checkNumber,
  checkOptions,
  checkSignal,
  checkText,
  checkThreads,
  mostThreads,
  optionTable,
  refuse,
} from '../options.ts'
import { nodeModule } from '../platform.ts'
import type { WasmMemory, WebSignal, WebUrl } from '../web-types.ts'
import { Arena } from './arena.ts'
import { Heap } from './heap.ts'
import { checkModules, type GivenModules } from './modules/given-modules.ts'
import { KernelLoader } from './modules/kernel-loader.ts'
import { checkSet, type KernelSet } from './modules/kernel-set.ts'
import { Readers } from './readers.ts'
import { WorkerPool } from './worker-pool.ts'

/** Options of an engine. */
export interface EngineOptions {
  /** The most the memory may grow to, in bytes. Default and limit: 4 GiB. */
  readonly maxBytes?: number
  /** Share the memory with worker threads. Default: wherever that is allowed (Node, and pages isolated from other origins). */
  readonly shared?: boolean
  /**
   * Where worker threads find their script, `@vicinal/core/worker`. Default: in our own code, as a `blob:` URL in browsers. Give it
   * to pages whose content security policy has no `worker-src blob:`.
   */
  readonly workerUrl?: string | WebUrl
  /** Called once, with a message, if worker threads could not be started and work runs on fewer threads. Default: a warning on the console. */
  readonly onWarning?: (message: string) => void
  /**
   * Compiled modules, `{ exact: module }` for `@vicinal/core/wasm/exact.wasm`, for platforms that forbid compiling at run time. Default:
   * each is compiled when it is first used. With modules of your own, the memory is not shared.
   */
  readonly modules?: GivenModules
}

function checkUrl(name: string, value: unknown): void {
  const given = typeof value === 'string' || value instanceof URL
  if (!given) refuse(name, value, 'a URL, or a text that is one')
}

const engineOptions = optionTable<EngineOptions>({
  maxBytes: checkedLater,
  shared: checkBoolean,
  workerUrl: checkUrl,
  onWarning: checkFunction,
  modules: checkModules,
})

const pageBytes = 65_536
// What the modules declare for the memory they import.
const minPages = 16
const maxPages = 65_536
/** Modules keep nothing in the memory. Only the first cache line is not used, so that address 0 can mean "none". */
const arenaStart = 64

/** What an engine and its leases share. */
interface Machine {
  readonly memory: WasmMemory
  readonly arena: Arena
  readonly loader: KernelLoader
  readonly shared: boolean
  readonly pools: Map<number, WorkerPool>
  readonly workerUrl: string | WebUrl | undefined
  readonly warn: (message: string) => void
}

/** One WASM memory with its kernels and worker threads. Most programs use `defaultEngine()`. */
export class Engine {
  readonly arena: Arena
  readonly shared: boolean
  /** Batches running in this engine's arena. */
  readonly readers: Readers
  readonly #machine: Machine

  /** `lender` is for `lease` alone. */
  constructor(options: EngineOptions = {}, lender?: Engine) {
    checkOptions(options, engineOptions)
    if (lender !== undefined) checkEngine('lender', lender)
    this.#machine = lender ? lender.#machine : startMachine(options)
    const { arena, shared } = this.#machine
    this.arena = lender ? lender.arena.within() : arena
    this.shared = shared
    this.readers = new Readers(lender?.readers)
  }

  /**
   * An engine with the same memory, kernels and threads, but its own arena: everything in it can be freed at once. One per index or model.
   */
  lease(): Engine {
    return new Engine({}, this)
  }

  /** The kernels of a set, over this engine's memory. Their sums are the same to the last bit on every machine. */
  exactKernels<Kernels>(set: KernelSet<Kernels>): Kernels {
    checkSet(set)
    return this.#machine.loader.exact(set)
  }

  /** Worker threads over this engine's memory, running the exact kernels. Without `threads`: one per core. */
  pool(threads?: number): WorkerPool {
    const { memory, arena, pools, shared, loader, workerUrl, warn } = this.#machine
    if (threads !== undefined) checkThreads('threads', threads)
    const count = shared ? (threads ?? Math.min(cores(), mostThreads)) : 1
    let pool = pools.get(count)
    if (!pool) {
      pool = new WorkerPool({ memory, loader, arena, threads: count, workerUrl, warn })
      pools.set(count, pool)
    }
    return pool
  }

  /**
   * Stops all worker threads. Running calls that use them reject with ABORTED. The engine stays usable and starts new threads on demand.
   * Idle threads do not keep a process alive, so only pages and tests need this.
   */
  async close(): Promise<void> {
    await Promise.all([...this.#machine.pools.values()].map(pool => pool.close()))
  }
}

function startMachine(options: EngineOptions): Machine {
  const { modules = {}, shared = Object.keys(modules).length === 0 && canShare() } = options
  const { maxBytes = maxPages * pageBytes, workerUrl, onWarning } = options
  if (shared && Object.keys(modules).length > 0) refuse('shared', shared, 'false when you give modules')
  const maximum = checkPages(maxBytes)
  const memory = makeMemory(maximum, shared)
  const loader = new KernelLoader({ memory, shared, modules })
  const arena = new Arena(new Heap(memory, arenaStart, maximum * pageBytes))
  const warn = once(onWarning ?? warnOnConsole)
  return { memory, arena, loader, shared, pools: new Map(), workerUrl, warn }
}

/** Systems limit how much address space a process may reserve; an engine reserves all it may grow to. */
function makeMemory(maximum: number, shared: boolean): WasmMemory {
  try {
    return new WebAssembly.Memory({ initial: minPages, maximum, shared })
  } catch (cause) {
    const mebibytes = (maximum * pageBytes) / 2 ** 20
    throw new EngineError('OUT_OF_MEMORY', `the system cannot reserve ${mebibytes} MiB more for an engine`, {
      hint: 'Use fewer engines, drop those you no longer need, or set a smaller maxBytes.',
      cause,
    })
  }
}

function once(tell: (message: string) => void): (message: string) => void {
  let told = false
  return message => {
    if (told) return
    told = true
    tell(message)
  }
}

function warnOnConsole(message: string): void {
  if (nodeModule('node:worker_threads')) process.emitWarning(message, { type: 'VicinalWarning' })
  else console.warn(`vicinal: ${message}`)
}

let shared: Engine | undefined

/** The shared engine, used if you do not pass one. */
export function defaultEngine(): Engine {
  shared ??= new Engine()
  return shared
}

function canShare(): boolean {
  if (typeof SharedArrayBuffer === 'undefined') return false
  return nodeModule('node:worker_threads') !== undefined || globalThis.crossOriginIsolated === true
}

function cores(): number {
  return nodeModule('node:os')?.availableParallelism() ?? globalThis.navigator?.hardwareConcurrency ?? 1
}

function checkPages(maxBytes: number): number {
  const [least, most] = [minPages * pageBytes, maxPages * pageBytes]
  const isAllowed = (bytes: number) => bytes >= least && bytes < most + pageBytes
  checkNumber('maxBytes', maxBytes, isAllowed, `1 MiB (${least}) to 4 GiB (${most})`)
  return Math.floor(maxBytes / pageBytes)
}

/** Which engine holds a model. */
export interface ModelPlace {
  /** The engine whose memory holds the model. Default: the shared engine. */
  readonly engine?: Engine
}

/** Options of `load`, `fromBytes`, `loadIndex` and `loadClassifier`. */
export interface LoadOptions extends ModelPlace {
  /** Stops the loading. */
  readonly signal?: WebSignal | undefined
}

/** The engine in the options, before they are checked further. */
export function engineOf(options: ModelPlace): Engine {
  checkHolder(options)
  if (options.engine !== undefined) checkEngine('engine', options.engine)
  return options.engine ?? defaultEngine()
}

export const checkEngine: Check = (name, value) => {
  if (!(value instanceof Engine)) refuse(name, value, 'an Engine')
}

/** For `load`. */
export const placeOptions = optionTable<ModelPlace>({ engine: checkEngine })
export const loadOptions = optionTable<LoadOptions>({ engine: checkEngine, signal: checkSignal })
/** For `fromContents`: `name` is what messages call the source. */
export const contentsOptions = optionTable<ModelPlace & { readonly name?: string }>({
  engine: checkEngine,
  name: checkText,
})
