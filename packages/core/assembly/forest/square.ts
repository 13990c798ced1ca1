// The length of a query, which every search checks.

/** The squared length, in four sums of 64 bits: the same bits as squareOf of src/matrix/dense-checks.ts. */
export function squareOf(vector: usize, dims: u32): f64 {
  let ab = f64x2.splat(0)
  let cd = f64x2.splat(0)
  let j: u32 = 0
  for (; j + 4 <= dims; j += 4) {
    const four = v128.load(vector + (<usize>j << 2))
    const low = f64x2.promote_low_f32x4(four)
    const high = f64x2.promote_low_f32x4(v128.shuffle<i64>(four, four, 1, 1))
    ab = f64x2.add(ab, f64x2.mul(low, low))
    cd = f64x2.add(cd, f64x2.mul(high, high))
  }
  let a = f64x2.extract_lane(ab, 0)
  for (; j < dims; j++) {
    const value = <f64>load<f32>(vector + (<usize>j << 2))
    a += value * value
  }
  return a + f64x2.extract_lane(ab, 1) + (f64x2.extract_lane(cd, 0) + f64x2.extract_lane(cd, 1))
}
