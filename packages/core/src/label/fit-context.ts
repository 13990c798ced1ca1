// Where fitting happens: whose memory, how many threads.

import type { Engine } from '../kernels/engine.ts'

export interface FitContext {
  readonly engine: Engine
  /** Worker threads. Undefined: one per core. */
  readonly threads: number | undefined
}
