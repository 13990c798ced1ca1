// Products of a query with the axes of a sketch, in 16-bit integers: eight products per instruction instead of four, and half the bytes. Errors
// are far smaller than a step of the codes that are made from them. Axes are stored four at a time: eight numbers of each, side by
// side, fill a cache line.

/** An axis has length 1 (or less, under 'dot'); here it has this length. */
// @ts-ignore: decorator
@inline
const axisLength: f32 = 16384

/** A query is scaled to at most this length, so that sums of products, at most the product of both lengths, fit 31 bits. */
// @ts-ignore: decorator
@inline
const queryLength: f32 = 120000

// @ts-ignore: decorator
@inline
const largest: f32 = 32767

/** Bytes of a vector of i16, filled up with zeros to whole SIMD lanes. */
// @ts-ignore: decorator
@inline
export function shortBytes(dims: u32): usize {
  return (<usize>(dims + 7) & ~7) << 1
}

/** Axes f32 [count × dims] as i16, four at a time: bytes for a multiple of four axes at `out`. */
export function shortenAxes(axes: usize, count: u32, dims: u32, out: usize): void {
  memory.fill(out, 0, <usize>((count + 3) & ~3) * shortBytes(dims))
  for (let a: u32 = 0; a < count; a++) {
    const group = out + (<usize>(a & ~3) * shortBytes(dims) + (<usize>(a & 3) << 4))
    for (let j: u32 = 0; j < dims; j++) {
      const value = load<f32>(axes + ((<usize>a * <usize>dims + <usize>j) << 2))
      store<i16>(group + ((<usize>(j >> 3) << 6) + (<usize>(j & 7) << 1)), <i16>nearest<f32>(value * axisLength))
    }
  }
}

function largestIn(vector: usize, dims: u32): f32 {
  let most = f32x4.splat(0)
  let j: u32 = 0
  for (; j + 4 <= dims; j += 4) most = f32x4.pmax(most, f32x4.abs(v128.load(vector + (<usize>j << 2))))
  let result = max<f32>(
    max<f32>(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
    max<f32>(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
  )
  for (; j < dims; j++) result = max<f32>(result, abs<f32>(load<f32>(vector + (<usize>j << 2))))
  return result
}

/** The length of a vector in units of its largest number, at least 1. */
function relativeLength(vector: usize, dims: u32, unit: f32): f32 {
  const units = f32x4.splat(unit)
  let a = f32x4.splat(0)
  let b = f32x4.splat(0)
  let j: u32 = 0
  for (; j + 8 <= dims; j += 8) {
    const at = vector + (<usize>j << 2)
    const low = f32x4.mul(units, v128.load(at))
    const high = f32x4.mul(units, v128.load(at, 16))
    a = f32x4.add(a, f32x4.mul(low, low))
    b = f32x4.add(b, f32x4.mul(high, high))
  }
  const sums = f32x4.add(a, b)
  let square = f32x4.extract_lane(sums, 0) + f32x4.extract_lane(sums, 1) + f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3)
  for (; j < dims; j++) {
    const value = load<f32>(vector + (<usize>j << 2)) * unit
    square += value * value
  }
  return sqrt<f32>(square)
}

/** A vector as i16 at `out`, filled up with zeros; returns how much its numbers were multiplied by, 0 for a vector of zeros. */
function shorten(vector: usize, dims: u32, out: usize): f32 {
  const most = largestIn(vector, dims)
  const unit = <f32>1 / most
  if (unit > f32.MAX_VALUE) {
    memory.fill(out, 0, shortBytes(dims))
    return 0
  }
  const scale = unit * min<f32>(largest, queryLength / relativeLength(vector, dims, unit))
  const scales = f32x4.splat(scale)
  let j: u32 = 0
  for (; j + 8 <= dims; j += 8) {
    const at = vector + (<usize>j << 2)
    const low = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(scales, v128.load(at))))
    const high = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(scales, v128.load(at, 16))))
    v128.store(out + (<usize>j << 1), i16x8.narrow_i32x4_s(low, high))
  }
  if (j == dims) return scale
  v128.store(out + (<usize>j << 1), i16x8.splat(0))
  for (; j < dims; j++) {
    store<i16>(out + (<usize>j << 1), <i16>nearest<f32>(load<f32>(vector + (<usize>j << 2)) * scale))
  }
  return scale
}

/** The sums of the lanes of four vectors. */
// @ts-ignore: decorator
@inline
function sumEach(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(
    v128.shuffle<i32>(a, b, 0, 4, 1, 5),
    v128.shuffle<i32>(a, b, 2, 6, 3, 7),
  )
  const cd = i32x4.add(
    v128.shuffle<i32>(c, d, 0, 4, 1, 5),
    v128.shuffle<i32>(c, d, 2, 6, 3, 7),
  )
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7))
}

/** Products of a vector with `count` short axes, f32 at `out`, a multiple of four; `short` is room for the vector as i16. */
export function productsWithShortAxes(vector: usize, axes: usize, count: u32, dims: u32, short: usize, out: usize): void {
  const scale = shorten(vector, dims, short)
  const unit = f32x4.splat(scale == 0 ? <f32>0 : <f32>1 / (axisLength * scale))
  const end = short + shortBytes(dims)
  for (let i: u32 = 0; i < count; i += 4) {
    let s0 = i32x4.splat(0)
    let s1 = i32x4.splat(0)
    let s2 = i32x4.splat(0)
    let s3 = i32x4.splat(0)
    for (let at = short; at < end; at += 16) {
      const v = v128.load(at)
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(v, v128.load(axes)))
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(v, v128.load(axes, 16)))
      s2 = i32x4.add(s2, i32x4.dot_i16x8_s(v, v128.load(axes, 32)))
      s3 = i32x4.add(s3, i32x4.dot_i16x8_s(v, v128.load(axes, 48)))
      axes += 64
    }
    v128.store(out + (<usize>i << 2), f32x4.mul(unit, f32x4.convert_i32x4_s(sumEach(s0, s1, s2, s3))))
  }
}
