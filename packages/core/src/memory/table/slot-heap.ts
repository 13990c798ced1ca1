// A heap of slots that knows where each one is, so that any of them can be removed, and nothing is left of it. `isBefore` must put all slots in
// one order, without ties: then the first does not depend on how the heap came about, and a memory that was reopened goes on as before.

export class SlotHeap {
  readonly #isBefore: (a: number, b: number) => boolean
  /** A parent comes before its children. */
  readonly #heap: number[] = []
  /** By slot: its place in the heap; undefined if it is not there. */
  readonly #places: (number | undefined)[] = []

  constructor(isBefore: (a: number, b: number) => boolean) {
    this.#isBefore = isBefore
  }

  /** The slot that comes before all others. */
  get least(): number | undefined {
    return this.#heap[0]
  }

  get size(): number {
    return this.#heap.length
  }

  has(slot: number): boolean {
    return this.#places[slot] !== undefined
  }

  add(slot: number): void {
    this.#put(this.#heap.length, slot)
    this.#raise(this.#heap.length - 1)
  }

  /** The slot comes earlier or later now. */
  changed(slot: number): void {
    const place = this.#places[slot]
    if (place !== undefined) this.#sink(this.#raise(place))
  }

  /** Does nothing if it is not there. */
  remove(slot: number): void {
    const place = this.#places[slot]
    if (place === undefined) return
    this.#places[slot] = undefined
    const last = this.#heap.pop()
    if (last === slot || last === undefined) return
    this.#put(place, last)
    this.changed(last)
  }

  /** What was in slot `from` is now in slot `to`. */
  rename(from: number, to: number): void {
    const place = this.#places[from]
    if (place === undefined) return
    this.#places[from] = undefined
    this.#put(place, to)
  }

  #raise(from: number): number {
    let place = from
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!this.#isBefore(this.#heap[place], this.#heap[parent])) break
      this.#swap(place, parent)
      place = parent
    }
    return place
  }

  #sink(from: number): void {
    let place = from
    for (;;) {
      const children = [2 * place + 1, 2 * place + 2].filter(child => child < this.#heap.length)
      const least = children.reduce(
        (best, child) => (this.#isBefore(this.#heap[child], this.#heap[best]) ? child : best),
        place,
      )
      if (least === place) return
      this.#swap(place, least)
      place = least
    }
  }

  #swap(a: number, b: number): void {
    const slot = this.#heap[a]
    this.#put(a, this.#heap[b])
    this.#put(b, slot)
  }

  #put(place: number, slot: number): void {
    this.#heap[place] = slot
    this.#places[slot] = place
  }
}
