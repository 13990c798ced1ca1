// Distances between one f32 query and many f32 rows. `scan` reads rows in order, one per loop; `gather` reads scattered rows, four per
// loop, so that four cache misses overlap; `pick` reads scattered rows and gives the same bits as `scan`. Sums run in lanes: their order is
// part of the contract.

import { multiplyAdd, sumLanes } from './lanes'

/** One term of a metric, added to its sum: a difference squared, or a product. */
// @ts-ignore: decorator
@inline
function addTerm(l2: bool, q: v128, r: v128, acc: v128): v128 {
  if (l2) {
    const d = f32x4.sub(q, r)
    return multiplyAdd(d, d, acc)
  }
  return multiplyAdd(q, r, acc)
}

// @ts-ignore: decorator
@inline
function scalarTerm(l2: bool, q: f32, r: f32): f32 {
  if (l2) {
    const d = q - r
    return d * d
  }
  return q * r
}

/** One row, sixteen dimensions per step, in four independent sums. */
// @ts-ignore: decorator
@inline
function one(l2: bool, query: usize, row: usize, dims: u32): f32 {
  let a = f32x4.splat(0)
  let b = f32x4.splat(0)
  let c = f32x4.splat(0)
  let d = f32x4.splat(0)
  let j: u32 = 0
  const blocks: u32 = dims & ~15
  for (; j < blocks; j += 16) {
    const q = query + (<usize>j << 2)
    const r = row + (<usize>j << 2)
    a = addTerm(l2, v128.load(q), v128.load(r), a)
    b = addTerm(l2, v128.load(q, 16), v128.load(r, 16), b)
    c = addTerm(l2, v128.load(q, 32), v128.load(r, 32), c)
    d = addTerm(l2, v128.load(q, 48), v128.load(r, 48), d)
  }
  for (; j + 4 <= dims; j += 4) {
    a = addTerm(l2, v128.load(query + (<usize>j << 2)), v128.load(row + (<usize>j << 2)), a)
  }
  let sum = sumLanes(f32x4.add(f32x4.add(a, b), f32x4.add(c, d)))
  for (; j < dims; j++) sum += scalarTerm(l2, load<f32>(query + (<usize>j << 2)), load<f32>(row + (<usize>j << 2)))
  return sum
}

/** Four rows side by side: one load of the query serves four rows, and their misses overlap. */
// @ts-ignore: decorator
@inline
function four(l2: bool, query: usize, r0: usize, r1: usize, r2: usize, r3: usize, dims: u32, out: usize): void {
  let a = f32x4.splat(0)
  let b = f32x4.splat(0)
  let c = f32x4.splat(0)
  let d = f32x4.splat(0)
  let j: u32 = 0
  for (; j + 4 <= dims; j += 4) {
    const at = <usize>j << 2
    const q = v128.load(query + at)
    a = addTerm(l2, q, v128.load(r0 + at), a)
    b = addTerm(l2, q, v128.load(r1 + at), b)
    c = addTerm(l2, q, v128.load(r2 + at), c)
    d = addTerm(l2, q, v128.load(r3 + at), d)
  }
  let s0 = sumLanes(a)
  let s1 = sumLanes(b)
  let s2 = sumLanes(c)
  let s3 = sumLanes(d)
  for (; j < dims; j++) {
    const at = <usize>j << 2
    const q = load<f32>(query + at)
    s0 += scalarTerm(l2, q, load<f32>(r0 + at))
    s1 += scalarTerm(l2, q, load<f32>(r1 + at))
    s2 += scalarTerm(l2, q, load<f32>(r2 + at))
    s3 += scalarTerm(l2, q, load<f32>(r3 + at))
  }
  store<f32>(out, s0)
  store<f32>(out, s1, 4)
  store<f32>(out, s2, 8)
  store<f32>(out, s3, 12)
}

// @ts-ignore: decorator
@inline
function scan(l2: bool, query: usize, rows: usize, count: u32, dims: u32, out: usize): void {
  const stride = <usize>dims << 2
  for (let i: u32 = 0; i < count; i++) {
    store<f32>(out + (<usize>i << 2), one(l2, query, rows, dims))
    rows += stride
  }
}

/** Rows prefetched while others are summed: enough to hide memory latency, few enough to stay in the L1 cache. */
// @ts-ignore: decorator
@inline
const ahead: u32 = 4

/** Reads one byte of each of a row's cache lines, with no dependencies; returns their sum, so that the compiler keeps the reads. */
// @ts-ignore: decorator
@inline
function touch(row: usize, bytes: usize): u32 {
  let sum: u32 = 0
  for (let at: usize = 0; at < bytes; at += 64) sum += load<u8>(row + at)
  return sum
}

/** Stores the prefetched sum at `touched`, so that the compiler does not remove the reads. */
// @ts-ignore: decorator
@inline
function pick(l2: bool, query: usize, rows: usize, picked: usize, count: u32, dims: u32, out: usize, touched: usize): void {
  const stride = <usize>dims << 2
  let sum: u32 = 0
  let row = rows
  for (let i: u32 = 0; i < count; i++) {
    if (picked) {
      const next = picked + (<usize>i << 2)
      if (i + ahead < count) sum += touch(rows + <usize>load<u32>(next, 4 * ahead) * stride, stride)
      row = rows + <usize>load<u32>(next) * stride
    }
    store<f32>(out + (<usize>i << 2), one(l2, query, row, dims))
    row += stride
  }
  store<u32>(touched, sum)
}

// @ts-ignore: decorator
@inline
function gather(l2: bool, query: usize, rows: usize, picked: usize, count: u32, dims: u32, out: usize): void {
  const stride = <usize>dims << 2
  let i: u32 = 0
  for (; i + 4 <= count; i += 4) {
    const p = picked + (<usize>i << 2)
    const r0 = rows + <usize>load<u32>(p) * stride
    const r1 = rows + <usize>load<u32>(p, 4) * stride
    const r2 = rows + <usize>load<u32>(p, 8) * stride
    const r3 = rows + <usize>load<u32>(p, 12) * stride
    four(l2, query, r0, r1, r2, r3, dims, out + (<usize>i << 2))
  }
  for (; i < count; i++) {
    const row = rows + <usize>load<u32>(picked + (<usize>i << 2)) * stride
    store<f32>(out + (<usize>i << 2), one(l2, query, row, dims))
  }
}

export function l2Scan(query: usize, rows: usize, count: u32, dims: u32, out: usize): void {
  scan(true, query, rows, count, dims, out)
}

export function dotScan(query: usize, rows: usize, count: u32, dims: u32, out: usize): void {
  scan(false, query, rows, count, dims, out)
}

/** The distances of scattered rows, with the bits that l2Scan gives. `touched` is 4 bytes to write to. */
export function l2Pick(
  query: usize, rows: usize, picked: usize, count: u32, dims: u32, out: usize, touched: usize,
): void {
  pick(true, query, rows, picked, count, dims, out, touched)
}

/** The products of scattered rows, with the bits that dotScan gives. */
export function dotPick(
  query: usize, rows: usize, picked: usize, count: u32, dims: u32, out: usize, touched: usize,
): void {
  pick(false, query, rows, picked, count, dims, out, touched)
}

export function l2Gather(query: usize, rows: usize, picked: usize, count: u32, dims: u32, out: usize): void {
  gather(true, query, rows, picked, count, dims, out)
}

export function dotGather(query: usize, rows: usize, picked: usize, count: u32, dims: u32, out: usize): void {
  gather(false, query, rows, picked, count, dims, out)
}

/** Turns dot products in place into cosines; `scale` is 1 / the query's length, `scales` holds 1 / each row's length. */
export function cosineScale(out: usize, scales: usize, count: u32, scale: f32): void {
  for (let i: u32 = 0; i < count; i++) {
    const at = <usize>i << 2
    store<f32>(out + at, load<f32>(out + at) * load<f32>(scales + at) * scale)
  }
}

/** The same for scattered rows. */
export function cosineScaleGather(out: usize, scales: usize, picked: usize, count: u32, scale: f32): void {
  for (let i: u32 = 0; i < count; i++) {
    const at = <usize>i << 2
    const row = <usize>load<u32>(picked + at)
    store<f32>(out + at, load<f32>(out + at) * load<f32>(scales + (row << 2)) * scale)
  }
}

/** 1 / Euclidean length of each row, 0 for a zero row: what the cosine kernels scale by. */
export function inverseLengths(rows: usize, count: u32, dims: u32, out: usize): void {
  const stride = <usize>dims << 2
  for (let i: u32 = 0; i < count; i++) {
    const squared = one(false, rows, rows, dims)
    store<f32>(out + (<usize>i << 2), squared > 0 ? 1 / sqrt<f32>(squared) : 0)
    rows += stride
  }
}

/** y += alpha · x */
export function axpy(alpha: f32, x: usize, y: usize, count: u32): void {
  const scale = f32x4.splat(alpha)
  let j: u32 = 0
  for (; j + 4 <= count; j += 4) {
    const at = <usize>j << 2
    v128.store(y + at, multiplyAdd(scale, v128.load(x + at), v128.load(y + at)))
  }
  for (; j < count; j++) {
    const at = <usize>j << 2
    store<f32>(y + at, load<f32>(y + at) + alpha * load<f32>(x + at))
  }
}
