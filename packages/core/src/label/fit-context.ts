// Where fitting runs: in which engine's memory, on how many threads.

import type { Engine } from '../kernels/engine.ts'

export interface FitContext {
  readonly engine: Engine
  /** Worker threads. Undefined: one per core. */
  readonly threads: number | undefined
}
