// Tells what kind a matrix is without its class, so that code that only checks arguments does not ship the classes.

const kinds = new WeakMap<object, MatrixKind>()

export type MatrixKind = 'DenseMatrix' | 'SparseMatrix' | 'LabelMatrix'

/** For the constructors. */
export function markMatrix(matrix: object, kind: MatrixKind): void {
  kinds.set(matrix, kind)
}

export function isMatrix(value: unknown, kind: MatrixKind): boolean {
  return typeof value === 'object' && value !== null && kinds.get(value) === kind
}
