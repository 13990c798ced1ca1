// The exponential function for steps of learning, which need no more than seven digits: no table (modules share one memory), no division
// and no branch.

/** 1.5 · 2²³: adding it rounds to a whole number, which is then in the last bits. */
const rounder: f32 = 12582912
/** log 2 in two parts; a whole number of up to 9 bits times the first one is exact. */
const log2High: f32 = 0.693359375
const log2Low: f32 = -0.00021219444

/** eˣ, with a relative error below 3 · 10⁻⁷; as for ±87 if x is further out. */
// @ts-ignore: decorator
@inline
export function expOf(x: f32): f32 {
  const near = min<f32>(max<f32>(x, -87), 87)
  const shifted = near * Mathf.LOG2E + rounder
  const whole = shifted - rounder
  const r = near - whole * log2High - whole * log2Low
  // The series of eʳ up to r⁶, for |r| ≤ log 2 / 2, in pairs, which the processor overlaps.
  const square = r * r
  const last = <f32>0.041666667 + r * <f32>0.008333333 + square * <f32>0.0013888889
  const series = <f32>1 + r + square * (<f32>0.5 + r * <f32>0.16666667 + square * last)
  return series * reinterpret<f32>((reinterpret<i32>(shifted) << 23) + 0x3f800000)
}
