// The twin of vectors.ts in relaxed SIMD: only the kernels that gain by fused multiply-adds.

export * from '../dense'
