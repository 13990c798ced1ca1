// What a matrix is, known without its class: code that only checks what it was given does not ship the classes.

const kinds = new WeakMap<object, MatrixKind>()

export type MatrixKind = 'DenseMatrix' | 'SparseMatrix' | 'LabelMatrix'

/** For the constructors. */
export function markMatrix(matrix: object, kind: MatrixKind): void {
  kinds.set(matrix, kind)
}

export function isMatrix(value: unknown, kind: MatrixKind): boolean {
  return typeof value === 'object' && value !== null && kinds.get(value) === kind
}
