// The kernels over one memory: a set's module is compiled and instantiated when it is first asked for.

import type { WasmMemory, WasmModule } from '../../web-types.ts'
import { type GivenModules, instantiateGiven } from './given-modules.ts'
import type { KernelSet, SetName } from './kernel-set.ts'
import { plainModule, relaxedModule } from './module.ts'

export interface LoaderParts {
  readonly memory: WasmMemory
  readonly shared: boolean
  /** Whether fused multiply-adds may be used: faster, but the last bit of a sum then depends on the machine. */
  readonly relaxed: boolean
  /** Modules that are compiled already. */
  readonly modules: GivenModules
}

export class KernelLoader {
  readonly #parts: LoaderParts
  readonly #exact = new Map<SetName, unknown>()
  readonly #fastest = new Map<SetName, unknown>()

  constructor(parts: LoaderParts) {
    this.#parts = parts
  }

  /** What a worker needs to run the same kernels. */
  module(set: KernelSet<unknown>): WasmModule {
    return this.#parts.modules[set.name] ?? plainModule(set, this.#parts.shared)
  }

  exact<Kernels>(set: KernelSet<Kernels>): Kernels {
    return remember(this.#exact, set, () => {
      const { memory, modules } = this.#parts
      const given = modules[set.name]
      return given ? instantiateGiven(given, set, memory) : this.#instantiate(this.module(set))
    })
  }

  fastest<Kernels>(set: KernelSet<Kernels>): Kernels {
    return remember(this.#fastest, set, () => {
      const { relaxed, modules, shared } = this.#parts
      const faster = relaxed && !modules[set.name] ? relaxedModule(set, shared) : undefined
      return faster ? { ...(this.exact(set) as object), ...this.#instantiate(faster) } : this.exact(set)
    })
  }

  #instantiate(module: WasmModule): WebAssembly.Exports {
    return new WebAssembly.Instance(module, { env: { memory: this.#parts.memory } }).exports
  }
}

function remember<Kernels>(known: Map<SetName, unknown>, set: KernelSet<Kernels>, load: () => unknown): Kernels {
  let kernels = known.get(set.name)
  if (kernels === undefined) {
    kernels = load()
    known.set(set.name, kernels)
  }
  // The modules are ours: kernel-sets.test.ts checks that each exports every function of its interface.
  return kernels as Kernels
}
