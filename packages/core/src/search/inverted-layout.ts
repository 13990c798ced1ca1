// The lists of an inverted index in the arena, and the block of addresses that the kernels read (its fields are named in
// assembly/inverted/layout.ts, in this order). Lists that only some algorithms need are made when first asked for.
// Invariant: never changed once made, so that batches under way may go on reading.

import type { Scope, Slice, TypedArray } from '../kernels/arena.ts'
import type { Engine } from '../kernels/engine.ts'
import type { SparseMatrix } from '../matrix/sparse-matrix.ts'
import type { ImpactLayers } from './impact-layers.ts'
import { listByRow, listByValue, listTops, type PostingLists, partition } from './posting-lists.ts'
import { interleave, pairsToMatrix, separate, type TailRows } from './tail-rows.ts'

/** The ways to search, in the order of the kernels' numbers. */
export const algorithms = ['auto', 'taat', 'wand', 'partitioned', 'threshold'] as const
/** 'auto' is ours, the others are the paper's and those it compares with; all give the same answers to the last bit. */
export type Algorithm = (typeof algorithms)[number]

/** Fields of the index block, 4 bytes each. */
const fields = [
  ...(['rows', 'features', 'rowOffsets', 'rowPairs', 'listOffsets', 'layeredPairs'] as const),
  ...(['layerOffsets', 'layerEnds', 'layerTops', 'layerFloors', 'layerGains'] as const),
  ...(['orderedRows', 'listTops', 'sortedPairs', 'partPairs', 'partRows', 'partStarts', 'partTops'] as const),
  ...(['tailRows', 'tailOffsets', 'tailPairs', 'maxLength', 'rowCost'] as const),
]
type Field = (typeof fields)[number]

export class InvertedLayout {
  readonly rows: number
  readonly columns: number
  readonly #scope: Scope
  readonly #block: Slice<Uint32Array>
  readonly #slices = new Map<Field, Slice>()
  readonly #made = new Set<Algorithm>()
  readonly #partitionBest: number

  /** `partitionBest`: how many of the highest values of a feature put their rows into the first part ('partitioned'). */
  constructor(engine: Engine, matrix: SparseMatrix, layers: ImpactLayers, partitionBest: number) {
    this.rows = matrix.rows
    this.columns = matrix.columns
    this.#partitionBest = partitionBest
    this.#scope = engine.arena.scope()
    this.#block = this.#scope.allocate(Uint32Array, fields.length)
    try {
      this.#placeRows(matrix)
      this.#placeLayers(layers)
    } catch (error) {
      this.#scope.free()
      throw error
    }
  }

  /** The block as a search with this algorithm needs it; `tail` holds the rows from `rows` on. */
  blockFor(algorithm: Algorithm, tail: TailRows): Uint32Array {
    this.#prepare(algorithm)
    this.#number('tailRows', tail.rows)
    this.#number('tailOffsets', tail.offsetsPointer)
    this.#number('tailPairs', tail.pairsPointer)
    return this.#block.array
  }

  get blockPointer(): number {
    return this.#block.pointer
  }

  /** The rows, copied. */
  toMatrix(): SparseMatrix {
    const { rows, columns } = this
    return pairsToMatrix(rows, columns, this.#read('rowOffsets'), this.#read('rowPairs'))
  }

  /** The layered lists, copied. */
  toLayers(): ImpactLayers {
    const listOffsets = this.#read<Uint32Array>('listOffsets').slice()
    const { numbers, values } = separate(this.#read('layeredPairs'), listOffsets[this.columns])
    return {
      listOffsets,
      rows: numbers,
      values,
      offsets: this.#read<Uint32Array>('layerOffsets').slice(),
      ends: this.#read<Uint32Array>('layerEnds').slice(),
      tops: this.#read<Float32Array>('layerTops').slice(),
      floors: this.#read<Float32Array>('layerFloors').slice(),
      gains: this.#read<Float32Array>('layerGains').slice(),
    }
  }

  free(): void {
    this.#scope.free()
  }

  #prepare(algorithm: Algorithm): void {
    if (this.#made.has(algorithm)) return
    if (algorithm === 'wand') this.#placeByRow()
    if (algorithm === 'partitioned') this.#placeParts()
    if (algorithm === 'threshold') this.#placeByValue()
    this.#made.add(algorithm)
  }

  #lists(): PostingLists {
    return listByRow(this.toMatrix())
  }

  #placeRows(matrix: SparseMatrix): void {
    this.#number('rows', matrix.rows)
    this.#number('features', matrix.columns)
    this.#place('rowOffsets', Uint32Array.from(matrix.offsets))
    this.#placePairs('rowPairs', matrix.indices, matrix.values)
    this.#float('rowCost', 40 + 1.5 * (matrix.entries / Math.max(1, matrix.rows)))
    this.#float('maxLength', longestRow(matrix))
  }

  #placeLayers(layers: ImpactLayers): void {
    this.#place('listOffsets', layers.listOffsets)
    this.#placePairs('layeredPairs', layers.rows, layers.values)
    this.#place('layerOffsets', layers.offsets)
    this.#place('layerEnds', layers.ends)
    this.#place('layerTops', layers.tops)
    this.#place('layerFloors', layers.floors)
    this.#place('layerGains', layers.gains)
  }

  #placeByRow(): void {
    const lists = this.#lists()
    this.#place('orderedRows', lists.rows)
    this.#place('listTops', listTops(lists))
  }

  #placeParts(): void {
    const parts = partition(this.#lists(), this.rows, this.#partitionBest)
    this.#placePairs('partPairs', parts.rows, parts.values)
    this.#place('partRows', parts.rows)
    this.#place('partStarts', parts.starts)
    this.#place('partTops', parts.tops)
  }

  #placeByValue(): void {
    const sorted = listByValue(this.#lists())
    this.#placePairs('sortedPairs', sorted.rows, sorted.values)
  }

  #place(field: Field, array: TypedArray): void {
    this.#keep(field, this.#scope.place(array, 'the inverted index'))
  }

  #placePairs(field: Field, numbers: Uint32Array, values: Float32Array): void {
    const slice = this.#scope.allocate(Uint32Array, 2 * numbers.length, 'the inverted index')
    interleave(numbers, values, slice.array)
    this.#keep(field, slice)
  }

  #keep(field: Field, slice: Slice): void {
    this.#slices.set(field, slice)
    this.#number(field, slice.pointer)
  }

  #read<T extends TypedArray = Uint32Array>(field: Field): T {
    return this.#slices.get(field)?.array as T // placed by the constructor, with this type
  }

  #number(field: Field, value: number): void {
    this.#block.array[fields.indexOf(field)] = value
  }

  #float(field: Field, value: number): void {
    const { array } = this.#block
    new Float32Array(array.buffer, array.byteOffset, array.length)[fields.indexOf(field)] = value
  }
}

function longestRow(matrix: SparseMatrix): number {
  let longest = 0
  for (let row = 0; row < matrix.rows; row++) {
    let squares = 0
    for (let e = matrix.offsets[row]; e < matrix.offsets[row + 1]; e++) squares += matrix.values[e] ** 2
    longest = Math.max(longest, squares)
  }
  return Math.sqrt(longest)
}
