// Sketches: a row's coordinates on a few principal axes, which keep most of its distances; and codes of them, one byte per coordinate, with
// one step size for all, so that distances between codes approximate distances between rows.

import { dotScan } from '../dense'
import { sumLanes } from '../lanes'
import { Searched } from '../blocks/dense-forest'
import { productsWithShortAxes } from './short-axes'
import { squareOf } from './square'

/** Query codes may leave the rows' range as long as sums of squares fit 32 bits. */
// @ts-ignore: decorator
@inline
const farthestCode: f32 = 2047

/** Products of one vector with `count` axes, four axes per loop: each number of the vector is loaded once for four axes. */
function productsWithAxes(vector: usize, axes: usize, count: u32, dims: u32, out: usize): void {
  const stride = <usize>dims << 2
  let i: u32 = 0
  for (; (dims & 3) == 0 && i + 4 <= count; i += 4) {
    const a0 = axes + <usize>i * stride
    const a1 = a0 + stride
    const a2 = a1 + stride
    const a3 = a2 + stride
    let s0 = f32x4.splat(0)
    let s1 = f32x4.splat(0)
    let s2 = f32x4.splat(0)
    let s3 = f32x4.splat(0)
    for (let at: usize = 0; at < stride; at += 16) {
      const v = v128.load(vector + at)
      s0 = f32x4.add(s0, f32x4.mul(v, v128.load(a0 + at)))
      s1 = f32x4.add(s1, f32x4.mul(v, v128.load(a1 + at)))
      s2 = f32x4.add(s2, f32x4.mul(v, v128.load(a2 + at)))
      s3 = f32x4.add(s3, f32x4.mul(v, v128.load(a3 + at)))
    }
    const o = out + (<usize>i << 2)
    store<f32>(o, sumLanes(s0))
    store<f32>(o, sumLanes(s1), 4)
    store<f32>(o, sumLanes(s2), 8)
    store<f32>(o, sumLanes(s3), 12)
  }
  dotScan(vector, axes + <usize>i * stride, count - i, dims, out + (<usize>i << 2))
}

/**
 * The length of what the axes leave out of a vector, from its sketch of `axes` numbers. Two vectors are about as far apart as their
 * sketches and these lengths.
 */
function restOf(vector: usize, mean: usize, dims: u32, sketch: usize, axes: u32): f32 {
  let sums = f32x4.splat(0)
  let j: u32 = 0
  for (; j + 4 <= dims; j += 4) {
    const at = <usize>j << 2
    const difference = f32x4.sub(v128.load(vector + at), v128.load(mean + at))
    sums = f32x4.add(sums, f32x4.mul(difference, difference))
  }
  let square = <f64>sumLanes(sums)
  for (; j < dims; j++) {
    const at = <usize>j << 2
    const difference = <f64>(load<f32>(vector + at) - load<f32>(mean + at))
    square += difference * difference
  }
  for (let a: u32 = 0; a < axes; a++) {
    const value = <f64>load<f32>(sketch + (<usize>a << 2))
    square -= value * value
  }
  return <f32>sqrt<f64>(max<f64>(0, square))
}

/** The query's sketch, f32 [sketchDims] at `out`, where up to three more are written; `short` is room for the query as i16. */
export function sketchQuery(index: Searched, query: usize, short: usize, out: usize): void {
  const dims = index.sketchDims - <u32>(index.mean != 0)
  productsWithShortAxes(query, index.axes, dims, index.dims, short, out)
  let scale: f32 = 1
  if (index.queryLength > 0) {
    const square = <f32>squareOf(query, index.dims)
    if (square > 0) scale = index.queryLength / sqrt<f32>(square)
  }
  for (let j: u32 = 0; j < dims; j++) {
    const at = <usize>j << 2
    store<f32>(out + at, load<f32>(out + at) * scale - load<f32>(index.shifts + at))
  }
  if (index.mean == 0) return
  const last = <usize>dims << 2
  store<f32>(out + last, restOf(query, index.mean, index.dims, out, dims) - load<f32>(index.shifts + last))
}

/**
 * The rests of near rows point the same way in part, at angles with about this cosine (measured: 0.28 on images, 0.23 on sentences). So a row is
 * nearest if its rest is this share of the query's. From 0.3 to 0.5 it made no difference.
 */
// @ts-ignore: decorator
@inline
const sharedRest: f32 = 0.4

/** A sketch as the i16 code that u8 codes are compared with, padded with zeros, at `out`. */
export function encodeQuery(index: Searched, sketch: usize, out: usize): void {
  const dims = index.sketchDims
  const steps = index.codeSteps
  memory.fill(out, 0, <usize>index.codeStride << 1)
  for (let j: u32 = 0; j < dims; j++) storeCode(load<f32>(sketch + (<usize>j << 2)) * steps, out + (<usize>j << 1))
  if (index.mean == 0) return
  const last = <usize>(dims - 1)
  const shift = load<f32>(index.shifts + (last << 2))
  const rest = sharedRest * (load<f32>(sketch + (last << 2)) + shift) - shift
  storeCode(rest * steps, out + (last << 1))
}

// @ts-ignore: decorator
@inline
function storeCode(value: f32, out: usize): void {
  const code = nearest<f32>(value) + 128
  store<i16>(out, <i16>max<f32>(-farthestCode, min<f32>(farthestCode, code)))
}

/** Sketches of rows [from, to), with one extra coordinate `lift` per row (f32 [rows], address 0: none). */
export function sketchRows(
  rows: usize, dims: u32, axes: usize, shifts: usize, sketchDims: u32, lift: usize, liftAxes: usize, mean: usize, from: u32, to: u32,
  out: usize,
): void {
  const axisCount = sketchDims - <u32>(mean != 0)
  for (let i: u32 = from; i < to; i++) {
    const row = rows + ((<usize>i * <usize>dims) << 2)
    const sketch = out + ((<usize>i * <usize>sketchDims) << 2)
    productsWithAxes(row, axes, axisCount, dims, sketch)
    for (let j: u32 = 0; j < axisCount; j++) {
      const at = <usize>j << 2
      let value = load<f32>(sketch + at) - load<f32>(shifts + at)
      if (lift != 0) value += load<f32>(lift + (<usize>i << 2)) * load<f32>(liftAxes + at)
      store<f32>(sketch + at, value)
    }
    if (mean == 0) continue
    const last = <usize>axisCount << 2
    store<f32>(sketch + last, restOf(row, mean, dims, sketch, axisCount) - load<f32>(shifts + last))
  }
}

/** Codes of sketches [from, to): u8 [stride] each, padded with zeros. Values beyond the range are clamped. */
export function encodeSketches(
  sketches: usize, dims: u32, steps: f32, stride: u32, from: u32, to: u32, out: usize,
): void {
  for (let i: u32 = from; i < to; i++) {
    const sketch = sketches + ((<usize>i * <usize>dims) << 2)
    const code = out + <usize>i * <usize>stride
    memory.fill(code, 0, stride)
    for (let j: u32 = 0; j < dims; j++) {
      const value = nearest<f32>(load<f32>(sketch + (<usize>j << 2)) * steps) + 128
      store<u8>(code + <usize>j, <u8>max<f32>(0, min<f32>(255, value)))
    }
  }
}

/** One pass of subspace iteration over rows picked[from, to): out [axes × dims] += Σ ((row − mean) · axis) (row − mean). */
export function spreadAlongAxes(
  scratch: usize, rows: usize, picked: usize, from: u32, to: u32, dims: u32, mean: usize, axes: usize, axisCount: u32, out: usize,
): void {
  const products = scratch + (<usize>dims << 2)
  for (let i: u32 = from; i < to; i++) {
    const row = rows + ((<usize>load<u32>(picked + (<usize>i << 2)) * <usize>dims) << 2)
    for (let j: u32 = 0; j < dims; j++) {
      const at = <usize>j << 2
      store<f32>(scratch + at, load<f32>(row + at) - load<f32>(mean + at))
    }
    productsWithAxes(scratch, axes, axisCount, dims, products)
    for (let a: u32 = 0; a < axisCount; a++) {
      const alpha = f32x4.splat(load<f32>(products + (<usize>a << 2)))
      const sum = out + ((<usize>a * <usize>dims) << 2)
      let j: u32 = 0
      for (; j + 4 <= dims; j += 4) {
        const at = <usize>j << 2
        v128.store(sum + at, f32x4.add(v128.load(sum + at), f32x4.mul(alpha, v128.load(scratch + at))))
      }
      for (; j < dims; j++) {
        const at = <usize>j << 2
        store<f32>(sum + at, load<f32>(sum + at) + f32x4.extract_lane(alpha, 0) * load<f32>(scratch + at))
      }
    }
  }
}
