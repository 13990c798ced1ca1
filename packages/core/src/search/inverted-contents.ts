// An inverted index as the contents of a model file, and back. Rows and layered lists are both kept, so that loading sorts
// nothing; numbers and values are tensors of their own, so that other programs can read them.

import { EngineError } from '../errors.ts'
import { SparseMatrix } from '../matrix/sparse-matrix.ts'
import type { ModelContents } from '../store/header.ts'
import { type TensorArray, vector } from '../store/tensor.ts'
import { IdTable } from './id-table.ts'
import type { ImpactLayers } from './impact-layers.ts'

/** 'cosine': rows and queries are scaled to length 1. 'dot': their products as they are. */
export type SparseMetric = 'cosine' | 'dot'

/** All that makes an index. */
export interface InvertedParts {
  readonly metric: SparseMetric
  readonly partitionBest: number
  readonly rows: SparseMatrix
  readonly layers: ImpactLayers
  readonly ids: IdTable
}

const method = 'inverted'

export function packInverted({ metric, partitionBest, rows, layers, ids }: InvertedParts): ModelContents {
  return {
    method,
    options: { metric, partitionBest },
    meta: { rows: rows.rows, columns: rows.columns },
    tensors: {
      rowOffsets: vector(rows.offsets),
      rowIndices: vector(rows.indices),
      rowValues: vector(rows.values),
      listOffsets: vector(layers.listOffsets),
      listRows: vector(layers.rows),
      listValues: vector(layers.values),
      layerOffsets: vector(layers.offsets),
      layerEnds: vector(layers.ends),
      layerTops: vector(layers.tops),
      layerFloors: vector(layers.floors),
      layerGains: vector(layers.gains),
      ...ids.toTensors(),
    },
  }
}

/** `name` is what messages call the source. Whatever could lead a kernel out of its arrays is refused. */
export function unpackInverted(contents: ModelContents, name: string): InvertedParts {
  const { options, meta, tensors } = contents
  const refuse = (what: string): never => {
    throw new EngineError('MODEL_DAMAGED', `${name} holds no inverted index: ${what}`)
  }
  if (contents.method !== method) refuse(`its method is '${contents.method}'`)
  const array = <T extends TensorArray>(key: string, type: new (length: number) => T): T => {
    const found = tensors[key]?.array
    return found instanceof type ? found : refuse(`there is no ${type.name} "${key}"`)
  }
  const { metric, partitionBest } = options
  const { rows, columns } = meta
  if (metric !== 'cosine' && metric !== 'dot') return refuse(`metric is ${metric}`)
  if (typeof partitionBest !== 'number') return refuse(`partitionBest is ${partitionBest}`)
  if (typeof rows !== 'number' || typeof columns !== 'number') return refuse(`it has ${rows} rows, ${columns} columns`)
  const layers: ImpactLayers = {
    listOffsets: array('listOffsets', Uint32Array),
    rows: array('listRows', Uint32Array),
    values: array('listValues', Float32Array),
    offsets: array('layerOffsets', Uint32Array),
    ends: array('layerEnds', Uint32Array),
    tops: array('layerTops', Float32Array),
    floors: array('layerFloors', Float32Array),
    gains: array('layerGains', Float32Array),
  }
  const [offsets, indices, values] = [
    array('rowOffsets', Float64Array),
    array('rowIndices', Uint32Array),
    array('rowValues', Float32Array),
  ]
  const fault = faultOf(layers, rows, columns, indices.length)
  if (fault) refuse(fault)
  const matrix = new SparseMatrix(rows, columns, offsets, indices, values)
  return { metric, partitionBest, rows: matrix, layers, ids: IdTable.fromTensors(rows, tensors) }
}

/** What is wrong with the lists, if anything. */
function faultOf(layers: ImpactLayers, rows: number, columns: number, entries: number): string | undefined {
  const { listOffsets, offsets, ends, tops, floors, gains } = layers
  if (layers.rows.length !== entries || layers.values.length !== entries) return 'its lists are not as long as its rows'
  if (!layers.rows.every(row => row < rows)) return 'its lists name rows that are not there'
  if (!climbs(listOffsets, columns + 1, entries)) return 'the offsets of its lists are out of order'
  if (!climbs(offsets, columns + 1, ends.length)) return 'the offsets of its layers are out of order'
  if ([tops, floors, gains].some(array => array.length !== ends.length)) return 'its layers differ in number'
  for (let feature = 0; feature < columns; feature++) {
    let end = listOffsets[feature]
    for (let layer = offsets[feature]; layer < offsets[feature + 1]; layer++) {
      if (ends[layer] <= end) return `the layers of feature ${feature} are out of order`
      end = ends[layer]
    }
    if (end !== listOffsets[feature + 1]) return `the layers of feature ${feature} do not end with its list`
  }
  return undefined
}

/** Whether `offsets` are `length` numbers that never fall, from 0 to `last`. */
function climbs(offsets: Uint32Array, length: number, last: number): boolean {
  if (offsets.length !== length || offsets[0] !== 0 || offsets[length - 1] !== last) return false
  return offsets.every((offset, i) => i === 0 || offset >= offsets[i - 1])
}
