// The kernels of one job: one WASM module, and the types of its functions. Only the code that runs a set imports it, so that a page ships
// only the modules it uses. Every argument named like an array is a byte address in the arena (a slice's `pointer`); the
// functions allocate nothing and keep no state.

import { EngineError, shown } from '../../errors.ts'

/** A module as text, and where it says that its memory is shared. */
export interface InlinedWasm {
  readonly sharedFlagOffset: number
  readonly text: string
}

export const setNames = [
  'vectors',
  'exact',
  'trees',
  'forest',
  'sparse',
  'label',
  'forest-label',
  'memory',
  'text',
] as const
/** The name of a set, and of its module's file. */
export type SetName = (typeof setNames)[number]

/** The kernels of one job; `Kernels` is an interface with one function per kernel. */
export interface KernelSet<Kernels> {
  readonly name: SetName
  /** One of its kernels: a module without it is not this set's. */
  readonly first: string
  readonly plain: InlinedWasm
  /** Only for the type: never set. */
  readonly kernels?: Kernels
}

/** The name of a kernel. */
export type KernelName<Kernels> = keyof Kernels & string

/** Refuses anything that is not a set of kernels. */
export function checkSet(set: KernelSet<unknown>): void {
  if (setNames.includes(set?.name) && typeof set.plain?.text === 'string') return
  throw new EngineError('INVALID_OPTION', `the set is ${shown(set)}, expected a set of kernels`, {
    hint: "Import one, such as vectorKernels of '@vicinal/core/internals'.",
  })
}
