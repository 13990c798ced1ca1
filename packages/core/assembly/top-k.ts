// Keeping the k best while scores arrive in any order. A kept entry is one u64 key, (order of its score) << 32 | row, so that
// one unsigned comparison decides score and row together; the keys form a heap with the worst on top. Small keys are best; if large scores
// are best, `flip` reverses the order.

/** The score's place in ascending order as a u32; both zeros are one. */
// @ts-ignore: decorator
@inline
export function orderOf(score: f32): u32 {
  const bits = reinterpret<u32>(score + 0)
  return bits ^ (<u32>(<i32>bits >> 31) | 0x80000000)
}

// @ts-ignore: decorator
@inline
export function scoreOf(order: u32): f32 {
  return reinterpret<f32>(order ^ (<u32>~(<i32>order >> 31) | 0x80000000))
}

// @ts-ignore: decorator
@inline
export function keyAt(heap: usize, slot: u32): u64 {
  return load<u64>(heap + (<usize>slot << 3))
}

// @ts-ignore: decorator
@inline
export function setKey(heap: usize, slot: u32, key: u64): void {
  store<u64>(heap + (<usize>slot << 3), key)
}

/** The score to beat: the worst of a full heap. */
// @ts-ignore: decorator
@inline
export function worstScore(heap: usize, flip: u32): f32 {
  return scoreOf(<u32>(keyAt(heap, 0) >> 32) ^ flip)
}

/** Replaces the top by `key` and sifts it down: heap[slot] ≥ both heap[2 · slot + 1] and heap[2 · slot + 2]. */
export function replaceTop(heap: usize, size: u32, key: u64): void {
  let slot: u32 = 0
  for (;;) {
    let child: u32 = 2 * slot + 1
    if (child >= size) break
    if (child + 1 < size && keyAt(heap, child + 1) > keyAt(heap, child)) child++
    if (keyAt(heap, child) <= key) break
    setKey(heap, slot, keyAt(heap, child))
    slot = child
  }
  setKey(heap, slot, key)
}

/** Appends `key` and sifts it up. */
export function rise(heap: usize, slot: u32, key: u64): void {
  while (slot > 0) {
    const parent: u32 = (slot - 1) >> 1
    if (keyAt(heap, parent) >= key) break
    setKey(heap, slot, keyAt(heap, parent))
    slot = parent
  }
  setKey(heap, slot, key)
}

/** Offers one score to the heap; returns the heap's size. */
// @ts-ignore: decorator
@inline
export function offer(heap: usize, size: u32, k: u32, flip: u32, score: f32, row: u32): u32 {
  const key = (<u64>(orderOf(score) ^ flip) << 32) | <u64>row
  if (size < k) {
    rise(heap, size, key)
    return size + 1
  }
  if (key < keyAt(heap, 0)) replaceTop(heap, size, key)
  return size
}

/** Sorts the heap, then unpacks it: best first. */
export function unpack(heap: usize, size: u32, flip: u32, outRows: usize, outScores: usize): void {
  for (let last: u32 = size; last > 1; last--) {
    const worst = keyAt(heap, 0)
    const key = keyAt(heap, last - 1)
    setKey(heap, last - 1, worst)
    replaceTop(heap, last - 1, key)
  }
  for (let i: u32 = 0; i < size; i++) {
    const key = keyAt(heap, i)
    store<u32>(outRows + (<usize>i << 2), <u32>key)
    store<f32>(outScores + (<usize>i << 2), scoreOf(<u32>(key >> 32) ^ flip))
  }
}
