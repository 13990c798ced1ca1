// Checks before writing: everything must read back exactly as it is.

import { EngineError } from '../errors.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import type { SparseMatrix } from '../matrix/sparse-matrix.ts'
import type { Dataset } from './dataset.ts'
import { maxFeatures, maxLabels, shorten } from './limits.ts'
import { firstRepeated } from './rows/repeated.ts'

/** Refuses features that are no finite numbers, or more than are read. */
export function checkFeatures(features: DenseMatrix | SparseMatrix, format: string): void {
  checkMost('features', features.columns, maxFeatures, format)
  const { values } = features
  const bad = values instanceof Float32Array ? values.findIndex(value => !Number.isFinite(value)) : -1
  if (bad < 0) return
  throw new EngineError('BAD_DATA', `${placeOf(features, bad)} is ${values[bad]}, expected a finite number`, {
    hint: `A ${format} file with this value could not be read back. Remove or replace the value.`,
  })
}

/** Refuses whole numbers that 32-bit floats would round, for formats that are read as such. */
export function checkFitFloat32(features: DenseMatrix | SparseMatrix, format: string): void {
  const { values } = features
  if (!(values instanceof Int32Array)) return
  const bad = values.findIndex(value => Math.fround(value) !== value)
  if (bad < 0) return
  const rounded = Math.fround(values[bad])
  throw new EngineError(
    'INVALID_OPTION',
    `${placeOf(features, bad)} is ${values[bad]}, but ${format} would round it to ${rounded}`,
    {
      hint: `${format} files hold 32-bit floats. Write this data as npy, which keeps whole numbers.`,
    },
  )
}

/** Refuses rows without numbers, for formats that are nothing but numbers. */
export function checkHasColumns({ columns }: DenseMatrix, format: string, most = Number.POSITIVE_INFINITY): void {
  if (columns > 0 && columns <= most) return
  const allowed = Number.isFinite(most) ? `1 to ${most}` : 'at least 1'
  throw new EngineError('INVALID_OPTION', `the rows have ${columns} numbers, but ${format} files allow ${allowed}`)
}

/** Refuses label names that could not be told apart in a file, or that `fits` says could not be read back; `rule` says why. */
export function checkLabelNames(dataset: Dataset, format: string, fits: (name: string) => boolean, rule = ''): void {
  checkMost('labels', dataset.labels?.columns ?? 0, maxLabels, format)
  const names = dataset.labelNames ?? []
  const bad = names.findIndex(name => !fits(name))
  const twice = firstRepeated(names)
  if (bad < 0 && twice === undefined) return
  const problem =
    bad >= 0
      ? `label ${bad} is called ${JSON.stringify(shorten(names[bad]))}, which ${format} files cannot hold`
      : `two labels are called ${JSON.stringify(shorten(twice ?? ''))}, and ${format} files cannot tell them apart`
  throw new EngineError('INVALID_OPTION', problem, {
    hint: `Rename the label, or drop the label names to write numbers instead.${bad >= 0 && rule ? ` ${rule}` : ''}`,
  })
}

function checkMost(what: string, count: number, most: number, format: string): void {
  if (count <= most) return
  throw new EngineError('INVALID_OPTION', `there are ${count} ${what}, but ${format} files can have at most ${most}`)
}

function placeOf(features: DenseMatrix | SparseMatrix, entry: number): string {
  if (features instanceof DenseMatrix) {
    return `row ${Math.floor(entry / features.columns)}, column ${entry % features.columns}`
  }
  const row = features.offsets.findIndex(offset => offset > entry) - 1
  return `row ${row}, column ${features.indices[entry]}`
}
