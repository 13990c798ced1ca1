// The twin of packages/vicinal/command/files/vectors.ts in relaxed SIMD: only the kernels that gain by fused multiply-adds.

export * from '../dense'
