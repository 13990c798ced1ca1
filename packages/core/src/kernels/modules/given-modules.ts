// Modules that the caller's runtime has compiled: the .wasm files of the package. For runtimes that forbid compiling, such as
// Cloudflare Workers. The files are for unshared memory, because those runtimes have no shared memory.

import { EngineError } from '../../errors.ts'
import { type Check, checkHolder, checkWord, refuse } from '../../options.ts'
import type { WasmMemory, WasmModule } from '../../web-types.ts'
import { type KernelSet, type SetName, setNames } from './kernel-set.ts'

/** By the names of their files: `exact` is `@vicinal/core/wasm/exact.wasm`. */
export type GivenModules = { readonly [Name in SetName]?: WasmModule }

export const checkModules: Check = (option, modules) => {
  checkHolder(modules)
  for (const [name, module] of Object.entries(modules as object)) {
    checkWord(`a name in ${option}`, name, setNames)
    if (!(module instanceof WebAssembly.Module)) refuse(`${option}.${name}`, module, 'a WebAssembly.Module')
  }
}

/** Its kernels over `memory`; refuses a module that is not the file of this set. */
export function instantiateGiven(
  module: WasmModule,
  { name, first }: KernelSet<unknown>,
  memory: WasmMemory,
): WebAssembly.Exports {
  let cause: unknown
  try {
    const { exports } = new WebAssembly.Instance(module, { env: { memory } })
    if (first in exports) return exports
  } catch (error) {
    cause = error
  }
  throw new EngineError('INVALID_OPTION', `modules.${name} was not compiled from ${name}.wasm`, {
    hint: `Import '@vicinal/core/wasm/${name}.wasm' of the version you use.`,
    cause,
  })
}
