// Distances over 8-bit codes: unsigned ones by squared difference, signed ones by product. The query comes widened to i16,
// rows are padded with zeros to `stride`, a multiple of 16. Sums are exact integers, stored as the nearest f32.

import { sumIntegerLanes } from './lanes'

/** Sixteen dimensions of one row, added to its four i32 sums. */
// @ts-ignore: decorator
@inline
function addTerms(l2: bool, low: v128, high: v128, row: v128, acc: v128): v128 {
  if (l2) {
    const a = i16x8.sub(low, i16x8.extend_low_i8x16_u(row))
    const b = i16x8.sub(high, i16x8.extend_high_i8x16_u(row))
    return i32x4.add(acc, i32x4.add(i32x4.dot_i16x8_s(a, a), i32x4.dot_i16x8_s(b, b)))
  }
  const a = i32x4.dot_i16x8_s(low, i16x8.extend_low_i8x16_s(row))
  const b = i32x4.dot_i16x8_s(high, i16x8.extend_high_i8x16_s(row))
  return i32x4.add(acc, i32x4.add(a, b))
}

// @ts-ignore: decorator
@inline
function one(l2: bool, query: usize, row: usize, stride: u32): f32 {
  let acc = i32x4.splat(0)
  for (let j: u32 = 0; j < stride; j += 16) {
    const q = query + (<usize>j << 1)
    acc = addTerms(l2, v128.load(q), v128.load(q, 16), v128.load(row + <usize>j), acc)
  }
  return <f32>sumIntegerLanes(acc)
}

// @ts-ignore: decorator
@inline
function scan(l2: bool, query: usize, rows: usize, count: u32, stride: u32, out: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    store<f32>(out + (<usize>i << 2), one(l2, query, rows, stride))
    rows += <usize>stride
  }
}

// @ts-ignore: decorator
@inline
function gather(l2: bool, query: usize, rows: usize, picked: usize, count: u32, stride: u32, out: usize): void {
  let i: u32 = 0
  for (; i + 4 <= count; i += 4) {
    const p = picked + (<usize>i << 2)
    const r0 = rows + <usize>load<u32>(p) * <usize>stride
    const r1 = rows + <usize>load<u32>(p, 4) * <usize>stride
    const r2 = rows + <usize>load<u32>(p, 8) * <usize>stride
    const r3 = rows + <usize>load<u32>(p, 12) * <usize>stride
    let a = i32x4.splat(0)
    let b = i32x4.splat(0)
    let c = i32x4.splat(0)
    let d = i32x4.splat(0)
    for (let j: usize = 0; j < <usize>stride; j += 16) {
      const q = query + (j << 1)
      const low = v128.load(q)
      const high = v128.load(q, 16)
      a = addTerms(l2, low, high, v128.load(r0 + j), a)
      b = addTerms(l2, low, high, v128.load(r1 + j), b)
      c = addTerms(l2, low, high, v128.load(r2 + j), c)
      d = addTerms(l2, low, high, v128.load(r3 + j), d)
    }
    const o = out + (<usize>i << 2)
    store<f32>(o, <f32>sumIntegerLanes(a))
    store<f32>(o, <f32>sumIntegerLanes(b), 4)
    store<f32>(o, <f32>sumIntegerLanes(c), 8)
    store<f32>(o, <f32>sumIntegerLanes(d), 12)
  }
  for (; i < count; i++) {
    const row = rows + <usize>load<u32>(picked + (<usize>i << 2)) * <usize>stride
    store<f32>(out + (<usize>i << 2), one(l2, query, row, stride))
  }
}

export function l2ScanU8(query: usize, rows: usize, count: u32, stride: u32, out: usize): void {
  scan(true, query, rows, count, stride, out)
}

export function dotScanI8(query: usize, rows: usize, count: u32, stride: u32, out: usize): void {
  scan(false, query, rows, count, stride, out)
}

export function l2GatherU8(query: usize, rows: usize, picked: usize, count: u32, stride: u32, out: usize): void {
  gather(true, query, rows, picked, count, stride, out)
}

export function dotGatherI8(query: usize, rows: usize, picked: usize, count: u32, stride: u32, out: usize): void {
  gather(false, query, rows, picked, count, stride, out)
}
