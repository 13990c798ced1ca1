// Loads the kernels: the relaxed-SIMD module where this engine runs it, the plain one elsewhere. Both are inlined as text.

import { EngineError } from '../errors.ts'
import { plain, relaxed } from './generated/modules.ts'
import type { Kernels } from './kernels.ts'

export interface ModuleOptions {
  /** Whether the memory is shared between threads. */
  readonly shared: boolean
  /** Whether fused multiply-adds may be used: faster, but the last bit of a sum then depends on the machine. */
  readonly relaxed: boolean
}

const compiled = new Map<string, WebAssembly.Module>()

/** Whether this engine runs relaxed SIMD: Node from 22 on, current browsers. */
export const relaxedSupported: boolean = WebAssembly.validate(decode(relaxed.hex))

/** The compiled module; compiled once a kind. */
export function kernelModule(options: ModuleOptions): WebAssembly.Module {
  const key = `${options.shared} ${options.relaxed}`
  const known = compiled.get(key)
  if (known) return known
  const source = options.relaxed ? relaxed : plain
  const bytes = decode(source.hex)
  // Shared and unshared modules differ in this one byte: the limits of the imported memory (3: shared, 1: not).
  if (!options.shared) bytes[source.sharedFlagOffset] = 1
  const module = compile(bytes)
  compiled.set(key, module)
  return module
}

/** The kernels over `memory`: all of them from the plain module, those that gain by it from the relaxed one. */
export function instantiateKernels(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  // The modules are ours: kernels.test.ts checks that the plain one exports every function of the interface.
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Kernels
}

function compile(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  try {
    return new WebAssembly.Module(bytes)
  } catch (cause) {
    throw unsupported(cause)
  }
}

function unsupported(cause: unknown): EngineError {
  if (/content security policy/i.test(String(cause)))
    return new EngineError('UNSUPPORTED', "this page's content security policy forbids WebAssembly", {
      hint: "Add 'wasm-unsafe-eval' to its script-src; docs/browser.md lists all headers.",
      cause,
    })
  return new EngineError('UNSUPPORTED', 'this JavaScript engine has no WebAssembly with SIMD', {
    hint: 'Use Node 20.19 or newer, or a current browser.',
    cause,
  })
}

function decode(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))
}
