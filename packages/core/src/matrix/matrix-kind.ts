// Tells what kind a matrix is without importing its class, so that code that only checks arguments does not ship the classes.

export type MatrixKind = 'DenseMatrix' | 'SparseMatrix' | 'LabelMatrix'

/** The classes that have instances. */
const classes: Partial<Record<MatrixKind, abstract new (...values: never[]) => object>> = {}

/** For the constructors. Runs for every matrix, also for single rows: it must cost nothing. */
export function registerMatrix(kind: MatrixKind, matrixClass: abstract new (...values: never[]) => object): void {
  classes[kind] ??= matrixClass
}

export function isMatrix(value: unknown, kind: MatrixKind): boolean {
  const matrixClass = classes[kind]
  return matrixClass !== undefined && value instanceof matrixClass
}
