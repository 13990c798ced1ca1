// Memory of objects that nobody uses any more comes back when JavaScript's garbage collector finds them. It does not see the memory
// behind them, so it sees no reason to look. Before more is taken, or a request is refused, we give it one: an array buffer that is
// dropped at once counts as pressure, and costs address space only, as nobody writes to it.

import { EngineError } from '../errors.ts'
import type { Heap } from './heap.ts'

/** As much as makes collectors look; measured in V8. */
const pressureBytes = 2 ** 26
const mostRounds = 8

/** Bytes in use that are no reason to look for garbage. */
export const comfortBytes = 2 ** 28

/** Before something large is made: looks for garbage if memory in use has doubled since it was last looked for. */
export async function tidy(heap: Heap): Promise<void> {
  if (heap.usedBytes < heap.comfort) return
  await reclaim(heap)
  heap.comfort = Math.max(comfortBytes, 2 * heap.usedBytes)
}

/** Waits for the collector to look. Whether memory came back. */
export async function reclaim(heap: Heap): Promise<boolean> {
  const before = heap.usedBytes
  for (let round = 0; round < mostRounds && heap.usedBytes >= before; round++) {
    press()
    // Finalizers have turns of their own.
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
    return 0 // not even address space: the collector has looked
  }
}
