// The memory of unused objects is freed when JavaScript's garbage collector finds them. The collector does not see the memory behind them,
// so it has no reason to run. Before we allocate much, or refuse a request, we give it one: an array buffer that is dropped at once
// counts as memory pressure. It costs only address space, because nothing is written to it.

import { EngineError } from '../errors.ts'
import type { Heap } from './heap.ts'

/** Enough to make collectors run; measured in V8. */
const pressureBytes = 2 ** 26
const mostRounds = 8

/** With fewer bytes in use, it is not worth collecting garbage. */
export const comfortBytes = 2 ** 28

/** Called before large allocations: collects garbage if the memory in use has doubled since the last time. */
export async function tidy(heap: Heap): Promise<void> {
  if (heap.usedBytes < heap.comfort) return
  await reclaim(heap)
  heap.comfort = Math.max(comfortBytes, 2 * heap.usedBytes)
}

/** Waits for the collector to run. Returns whether memory was freed. */
export async function reclaim(heap: Heap): Promise<boolean> {
  const before = heap.usedBytes
  for (let round = 0; round < mostRounds && heap.usedBytes >= before; round++) {
    press()
    // Finalizers run in separate turns of the event loop.
    await new Promise(resume => setTimeout(resume, 0))
  }
  return heap.usedBytes < before
}

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'OUT_OF_MEMORY'
}

function press(): number {
  try {
    return new ArrayBuffer(pressureBytes).byteLength
  } catch {
    return 0 // not even address space is left: the collector has run
  }
}
