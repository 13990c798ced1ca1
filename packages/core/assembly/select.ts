// The k best of many scores, ties by row. A kept entry is one u64 key, (order of its score) << 32 | row, so that one unsigned
// comparison decides both; the keys form a heap with the worst on top, and sixteen scores that cannot beat it cost one SIMD
// comparison.

/** The score's place in ascending order as a u32; both zeros are one. */
// @ts-ignore: decorator
@inline
function orderOf(score: f32): u32 {
  const bits = reinterpret<u32>(score + 0)
  return bits ^ (<u32>(<i32>bits >> 31) | 0x80000000)
}

// @ts-ignore: decorator
@inline
function scoreOf(order: u32): f32 {
  return reinterpret<f32>(order ^ (<u32>~(<i32>order >> 31) | 0x80000000))
}

// @ts-ignore: decorator
@inline
function keyAt(heap: usize, slot: u32): u64 {
  return load<u64>(heap + (<usize>slot << 3))
}

// @ts-ignore: decorator
@inline
function setKey(heap: usize, slot: u32, key: u64): void {
  store<u64>(heap + (<usize>slot << 3), key)
}

/** Puts `key` in the place of the top and lets it sink: heap[slot] ≥ both heap[2 · slot + 1] and heap[2 · slot + 2]. */
function sink(heap: usize, size: u32, key: u64): void {
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

function rise(heap: usize, slot: u32, key: u64): void {
  while (slot > 0) {
    const parent: u32 = (slot - 1) >> 1
    if (keyAt(heap, parent) >= key) break
    setKey(heap, slot, keyAt(heap, parent))
    slot = parent
  }
  setKey(heap, slot, key)
}

/** Sorts the heap ascending, then unpacks it: best first. `flip` turns orders back where large scores were best. */
function unpack(heap: usize, size: u32, flip: u32, outRows: usize, outScores: usize): void {
  for (let last: u32 = size; last > 1; last--) {
    const worst = keyAt(heap, 0)
    const key = keyAt(heap, last - 1)
    setKey(heap, last - 1, worst)
    sink(heap, last - 1, key)
  }
  for (let i: u32 = 0; i < size; i++) {
    const key = keyAt(heap, i)
    store<u32>(outRows + (<usize>i << 2), <u32>key)
    store<f32>(outScores + (<usize>i << 2), scoreOf(<u32>(key >> 32) ^ flip))
  }
}

/** Offers one score to the heap; returns the heap's size. */
// @ts-ignore: decorator
@inline
function offer(heap: usize, size: u32, k: u32, flip: u32, score: f32, row: u32): u32 {
  const key = (<u64>(orderOf(score) ^ flip) << 32) | <u64>row
  if (size < k) {
    rise(heap, size, key)
    return size + 1
  }
  if (key < keyAt(heap, 0)) sink(heap, size, key)
  return size
}

/** The score that has to be beaten, in all lanes. */
// @ts-ignore: decorator
@inline
function worstOf(heap: usize, flip: u32): v128 {
  return f32x4.splat(scoreOf(<u32>(keyAt(heap, 0) >> 32) ^ flip))
}

// @ts-ignore: decorator
@inline
function extreme(largest: bool, a: v128, b: v128): v128 {
  return largest ? f32x4.pmax(a, b) : f32x4.pmin(a, b)
}

// @ts-ignore: decorator
@inline
function select(
  largest: bool, scores: usize, count: u32, k: u32, heap: usize, outRows: usize, outScores: usize,
): u32 {
  const flip: u32 = largest ? 0xffffffff : 0
  let size: u32 = 0
  let i: u32 = 0
  for (; i < count && size < k; i++) size = offer(heap, size, k, flip, load<f32>(scores + (<usize>i << 2)), i)
  if (k == 0) return 0
  let worst = worstOf(heap, flip)
  for (; i + 16 <= count; i += 16) {
    const at = scores + (<usize>i << 2)
    const best = extreme(
      largest,
      extreme(largest, v128.load(at), v128.load(at, 16)),
      extreme(largest, v128.load(at, 32), v128.load(at, 48)),
    )
    // A later row must be strictly better: on a tie the earlier row stays.
    if (!v128.any_true(largest ? f32x4.gt(best, worst) : f32x4.lt(best, worst))) continue
    for (let lane: u32 = 0; lane < 16; lane++) offer(heap, size, k, flip, load<f32>(at + (<usize>lane << 2)), i + lane)
    worst = worstOf(heap, flip)
  }
  for (; i < count; i++) offer(heap, size, k, flip, load<f32>(scores + (<usize>i << 2)), i)
  unpack(heap, size, flip, outRows, outScores)
  return size
}

/** The k smallest scores, ascending; `heap` is scratch of 8 · k bytes. Returns how many there are. */
export function selectSmallest(
  scores: usize, count: u32, k: u32, heap: usize, outRows: usize, outScores: usize,
): u32 {
  return select(false, scores, count, k, heap, outRows, outScores)
}

/** The k largest scores, descending. */
export function selectLargest(
  scores: usize, count: u32, k: u32, heap: usize, outRows: usize, outScores: usize,
): u32 {
  return select(true, scores, count, k, heap, outRows, outScores)
}
