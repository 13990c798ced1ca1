// Small steps shared by the kernels. All are inlined.

/** acc + a · b, both rounded. */
// @ts-ignore: decorator
@inline
export function multiplyAdd(a: v128, b: v128, acc: v128): v128 {
  return f32x4.add(acc, f32x4.mul(a, b))
}

// @ts-ignore: decorator
@inline
export function sumLanes(v: v128): f32 {
  return (f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1)) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
}

/** Sum of four large i32 lanes, as f64 so that it stays exact. */
// @ts-ignore: decorator
@inline
export function sumIntegerLanes(v: v128): f64 {
  return (
    <f64>i32x4.extract_lane(v, 0) +
    <f64>i32x4.extract_lane(v, 1) +
    (<f64>i32x4.extract_lane(v, 2) + <f64>i32x4.extract_lane(v, 3))
  )
}
