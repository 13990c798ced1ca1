// What is worth knowing about a data set at a glance: sizes, fill, range of values, how labels and texts are spread.

import { type Dataset, DenseMatrix, type LabelMatrix, type NamedLabel, type SparseMatrix } from '@vicinal/core'

export interface DataFacts {
  readonly rows: number
  readonly hasIds: boolean
  readonly features?: FeatureFacts
  readonly labels?: LabelFacts
  /** Characters of each row's text. */
  readonly textLengths?: Uint32Array
}

export interface FeatureFacts {
  readonly columns: number
  readonly layout: 'dense' | 'sparse'
  /** The type of the values. */
  readonly type: 'u8' | 'i32' | 'f32'
  /** Values stored: all of a dense matrix. */
  readonly entries: number
  readonly nonZero: number
  /** Smallest and largest value stored; 0 if there is none. */
  readonly min: number
  readonly max: number
}

export interface LabelFacts {
  readonly columns: number
  /** Pairs of a row and a label. */
  readonly entries: number
  readonly rowsWithout: number
  /** Labels that no row has. */
  readonly unused: number
  /** How many labels each row has. */
  readonly perRow: Uint32Array
  /** How many rows have each label. */
  readonly rowsOfLabel: Float64Array
  /** The most frequent first; among equals, the smaller label. */
  readonly top: readonly TopLabel[]
}

export interface TopLabel extends NamedLabel {
  readonly rows: number
}

const topLabels = 10

export function describeDataset(dataset: Dataset): DataFacts {
  const { rows, ids, features, labels, texts } = dataset
  return {
    rows,
    hasIds: ids !== undefined,
    ...(features && { features: describeFeatures(features) }),
    ...(labels && { labels: describeLabels(labels, dataset) }),
    ...(texts && { textLengths: Uint32Array.from(texts, text => text.length) }),
  }
}

function describeFeatures(features: DenseMatrix | SparseMatrix): FeatureFacts {
  const { columns, values } = features
  const type = values instanceof Float32Array ? 'f32' : values instanceof Int32Array ? 'i32' : 'u8'
  const layout = features instanceof DenseMatrix ? 'dense' : 'sparse'
  let [min, max, nonZero] = [values[0] ?? 0, values[0] ?? 0, 0]
  for (let e = 0; e < values.length; e++) {
    const value = values[e]!
    if (value < min) min = value
    if (value > max) max = value
    if (value !== 0) nonZero++
  }
  return { columns, layout, type, entries: values.length, nonZero, min, max }
}

function describeLabels(labels: LabelMatrix, dataset: Dataset): LabelFacts {
  const { rows, columns, offsets, entries } = labels
  const perRow = Uint32Array.from({ length: rows }, (_, i) => offsets[i + 1]! - offsets[i]!)
  const rowsOfLabel = labels.counts()
  return {
    columns,
    entries,
    rowsWithout: countZeros(perRow),
    unused: countZeros(rowsOfLabel),
    perRow,
    rowsOfLabel,
    top: mostFrequent(rowsOfLabel, dataset),
  }
}

function mostFrequent(rowsOfLabel: Float64Array, { labelNames, vocabulary }: Dataset): TopLabel[] {
  const order = Uint32Array.from(rowsOfLabel, (_, label) => label)
  order.sort((a, b) => rowsOfLabel[b]! - rowsOfLabel[a]! || a - b)
  const used = Array.from(order.subarray(0, topLabels)).filter(label => rowsOfLabel[label]! > 0)
  return used.map(number => {
    const label = labelNames?.[number] ?? String(number)
    return { ...(vocabulary?.named(label) ?? { label }), rows: rowsOfLabel[number]! }
  })
}

function countZeros(counts: ArrayLike<number>): number {
  let zeros = 0
  for (let i = 0; i < counts.length; i++) if (counts[i] === 0) zeros++
  return zeros
}
