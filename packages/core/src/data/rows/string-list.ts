// Strings that readers keep, one per row. They live on V8's heap, and V8 ends the process when that is full: the memory they take is
// counted, and too much of it is refused while there is still room.

import { EngineError } from '../../errors.ts'
import { nodeModule } from '../../platform.ts'

/** V8 ends the process when an array is to hold 2²⁷ items, and grows it by half. */
const maxItems = 2 ** 26
const heapShare = 0.7
/** If the limit of the heap is unknown, as in browsers. */
const usualHeapBytes = 2 ** 31
/** A string's header, its place in the array, and room in the array. */
const itemBytes = 32

/** How much the lists of one reader may take together. */
export class HeapBudget {
  readonly #file: string
  readonly #most: number
  #taken = 0

  /** `heapBytes` is what the heap may take in all; default: what V8 says. */
  constructor(file: string, heapBytes: number = heapLimit()) {
    this.#file = file
    this.#most = heapBytes * heapShare
  }

  take(bytes: number): void {
    this.#taken += bytes
    if (this.#taken > this.#most) throw tooMuch(this.#file, `take more than ${Math.round(this.#most / 1e6)} MB`)
  }
}

export class StringList {
  readonly items: string[] = []
  readonly #file: string
  readonly #budget: HeapBudget

  constructor(file: string, budget: HeapBudget = new HeapBudget(file)) {
    this.#file = file
    this.#budget = budget
  }

  push(text: string): void {
    if (this.items.length === maxItems) throw tooMuch(this.#file, `are more than ${maxItems}`)
    this.#budget.take(itemBytes + text.length * (isWide(text) ? 2 : 1))
    this.items.push(text)
  }
}

/** Whether characters take two bytes, by a look at three of them. */
function isWide(text: string): boolean {
  const last = text.length - 1
  return Math.max(text.charCodeAt(0), text.charCodeAt(last >> 1), text.charCodeAt(last)) > 255
}

function heapLimit(): number {
  return nodeModule('node:v8')?.getHeapStatistics().heap_size_limit ?? usualHeapBytes
}

function tooMuch(file: string, how: string): EngineError {
  return new EngineError('OUT_OF_MEMORY', `the texts, keys and labels of the rows ${how}`, {
    where: { file },
    hint: 'Split the file, or give Node a larger heap: NODE_OPTIONS=--max-old-space-size=16000.',
  })
}
