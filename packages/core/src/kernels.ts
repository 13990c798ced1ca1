// The loops over vectors themselves, for who computes in an engine's memory directly. Indexes and classifiers need none of them: their
// kernels are sets of their own. test/exports.test.ts pins what is here.

export { type VectorKernels, vectorKernels } from './kernels/sets/vectors.ts'
