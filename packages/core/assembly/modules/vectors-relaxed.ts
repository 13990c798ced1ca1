// Relaxed-SIMD versions of the kernels in vectors.ts that gain from fused multiply-adds.

export * from '../dense'
