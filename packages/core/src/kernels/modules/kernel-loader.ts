// The kernels over one memory: a set's module is compiled and instantiated when it is first asked for.

import type { WasmMemory, WasmModule } from '../../web-types.ts'
import { type GivenModules, instantiateGiven } from './given-modules.ts'
import type { KernelSet, SetName } from './kernel-set.ts'
import { compiledModule } from './module.ts'

export interface LoaderParts {
  readonly memory: WasmMemory
  readonly shared: boolean
  /** Modules that are compiled already. */
  readonly modules: GivenModules
}

export class KernelLoader {
  readonly #parts: LoaderParts
  readonly #kernels = new Map<SetName, unknown>()

  constructor(parts: LoaderParts) {
    this.#parts = parts
  }

  /** What a worker needs to run the same kernels. */
  module(set: KernelSet<unknown>): WasmModule {
    return this.#parts.modules[set.name] ?? compiledModule(set, this.#parts.shared)
  }

  exact<Kernels>(set: KernelSet<Kernels>): Kernels {
    let kernels = this.#kernels.get(set.name)
    if (kernels === undefined) {
      const { memory, modules } = this.#parts
      const given = modules[set.name]
      kernels = given
        ? instantiateGiven(given, set, memory)
        : new WebAssembly.Instance(this.module(set), { env: { memory } }).exports
      this.#kernels.set(set.name, kernels)
    }
    // The modules are ours: kernel-sets.test.ts checks that each exports every function of its interface.
    return kernels as Kernels
  }
}
