// The growers' generator: xorshift32 over a state in memory. Every tree has its own seed, so that the number of threads does not matter.

// @ts-ignore: decorator
@inline
export function seedRandom(state: usize, seed: u32): void {
  store<u32>(state, seed == 0 ? 0x9e3779b9 : seed)
}

/** An integer in [0, bound). */
export function randomBelow(state: usize, bound: u32): u32 {
  let x = load<u32>(state)
  x ^= x << 13
  x ^= x >> 17
  x ^= x << 5
  store<u32>(state, x)
  return <u32>((<u64>x * <u64>bound) >> 32)
}

/** A number in [-1, 1). */
export function randomSigned(state: usize): f32 {
  return <f32>randomBelow(state, 1 << 24) / <f32>(1 << 23) - 1
}
