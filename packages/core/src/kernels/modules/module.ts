// Compiles the modules of kernel sets.

import { EngineError } from '../../errors.ts'
import type { WasmModule } from '../../web-types.ts'
import type { InlinedWasm, KernelSet } from './kernel-set.ts'
import { wasmBytes } from './wasm-text.ts'

const compiled = { shared: new WeakMap<InlinedWasm, WasmModule>(), unshared: new WeakMap<InlinedWasm, WasmModule>() }

/** The module of a set: compiled once per process. */
export function compiledModule({ name, plain: wasm }: KernelSet<unknown>, shared: boolean): WasmModule {
  const known = compiled[shared ? 'shared' : 'unshared']
  let module = known.get(wasm)
  if (!module) {
    const bytes = wasmBytes(wasm.text)
    // Shared and unshared modules differ in this one byte: the limits of the imported memory (3: shared, 1: not).
    if (!shared) bytes[wasm.sharedFlagOffset] = 1
    module = compile(bytes, name)
    known.set(wasm, module)
  }
  return module
}

function compile(bytes: Uint8Array<ArrayBuffer>, name: string): WasmModule {
  try {
    return new WebAssembly.Module(bytes)
  } catch (cause) {
    throw unsupported(name, cause)
  }
}

function unsupported(name: string, cause: unknown): EngineError {
  if (/content security policy/i.test(String(cause)))
    return new EngineError('UNSUPPORTED', "this page's content security policy forbids WebAssembly", {
      hint: "Add 'wasm-unsafe-eval' to its script-src; docs/browser.md lists all headers.",
      cause,
    })
  return new EngineError('UNSUPPORTED', `the WebAssembly module '${name}' cannot be compiled here`, {
    hint: `It needs SIMD: Node 20.19 or newer, or a current browser. If your platform forbids compiling, pass '@vicinal/core/wasm/${name}.wasm' to new Engine({ modules }).`,
    cause,
  })
}
