// Tells what kind a matrix is without importing its class, so that code that only checks arguments does not ship the classes.

import type { DenseMatrix } from './dense-matrix.ts'
import type { LabelMatrix } from './label-matrix.ts'
import type { SparseMatrix } from './sparse-matrix.ts'

interface Matrices {
  readonly DenseMatrix: DenseMatrix
  readonly SparseMatrix: SparseMatrix
  readonly LabelMatrix: LabelMatrix
}

type MatrixKind = keyof Matrices

/** The classes that have instances. */
const classes: Partial<Record<MatrixKind, abstract new (...values: never[]) => object>> = {}

/** For the constructors. Runs for every matrix, also for single rows: it must cost nothing. */
export function registerMatrix(kind: MatrixKind, matrixClass: abstract new (...values: never[]) => object): void {
  classes[kind] ??= matrixClass
}

export function isMatrix<Kind extends MatrixKind>(value: unknown, kind: Kind): value is Matrices[Kind] {
  const matrixClass = classes[kind]
  return matrixClass !== undefined && value instanceof matrixClass
}
