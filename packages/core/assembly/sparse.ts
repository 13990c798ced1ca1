// Sparse rows against dense vectors. Offsets, indices are u32; four sums hide the latency of the adds.

// @ts-ignore: decorator
@inline
function entry(indices: usize, values: usize, dense: usize, e: u32): f32 {
  const at = <usize>e << 2
  return load<f32>(values + at) * load<f32>(dense + (<usize>load<u32>(indices + at) << 2))
}

/** Σ values[e] · dense[indices[e]] over one sparse row of `count` entries. */
export function sparseDot(indices: usize, values: usize, count: u32, dense: usize): f32 {
  let a: f32 = 0
  let b: f32 = 0
  let c: f32 = 0
  let d: f32 = 0
  let e: u32 = 0
  for (; e + 4 <= count; e += 4) {
    a += entry(indices, values, dense, e)
    b += entry(indices, values, dense, e + 1)
    c += entry(indices, values, dense, e + 2)
    d += entry(indices, values, dense, e + 3)
  }
  for (; e < count; e++) a += entry(indices, values, dense, e)
  return (a + b) + (c + d)
}

/** The same for every row of a CSR matrix: out[i] = row i · dense. */
export function sparseDotScan(
  offsets: usize, indices: usize, values: usize, rows: u32, dense: usize, out: usize,
): void {
  for (let i: u32 = 0; i < rows; i++) {
    const from = load<u32>(offsets + (<usize>i << 2))
    const count = load<u32>(offsets + (<usize>i << 2), 4) - from
    const at = <usize>from << 2
    store<f32>(out + (<usize>i << 2), sparseDot(indices + at, values + at, count, dense))
  }
}

/** dense[indices[e]] += alpha · values[e] */
export function sparseAxpy(alpha: f32, indices: usize, values: usize, count: u32, dense: usize): void {
  for (let e: u32 = 0; e < count; e++) {
    const at = <usize>e << 2
    const to = dense + (<usize>load<u32>(indices + at) << 2)
    store<f32>(to, load<f32>(to) + alpha * load<f32>(values + at))
  }
}
