// The inverted index in the arena: its arrays, and the two blocks of addresses that the kernels read (their fields are named in
// assembly/inverted/layout.ts, in this order). The lists that only some algorithms need are made when first asked for.

import type { Scope, Slice, TypedArray } from '../kernels/arena.ts'
import type { Engine } from '../kernels/engine.ts'
import type { SparseMatrix } from '../matrix/sparse-matrix.ts'
import { cutIntoLayers } from './impact-layers.ts'
import { listByRow, listByValue, listTops, type PostingLists, partition } from './posting-lists.ts'

/** The ways to search, in the order of the kernels' numbers. */
export const algorithms = ['auto', 'taat', 'wand', 'partitioned', 'threshold'] as const
export type Algorithm = (typeof algorithms)[number]

/** Fields of the index block, 4 bytes each. */
const fields = [
  ...(['rows', 'features', 'rowOffsets', 'rowPairs', 'listOffsets', 'layeredPairs'] as const),
  ...(['layerOffsets', 'layerEnds', 'layerTops', 'layerFloors', 'layerGains'] as const),
  ...(['orderedRows', 'listTops', 'sortedPairs', 'partPairs', 'partRows', 'partStarts', 'partTops'] as const),
  ...(['maxLength', 'rowCost'] as const),
]
type Field = (typeof fields)[number]

export interface LayoutOptions {
  readonly rowCost?: number
  /** The paper's m: how many of the highest values of a feature put their rows into the first part. */
  readonly partitionBest: number
}

export class InvertedLayout {
  readonly block: Slice<Uint32Array>
  readonly matrix: SparseMatrix
  readonly #scope: Scope
  readonly #options: LayoutOptions
  readonly #made = new Set<Algorithm>()
  readonly #lists: () => PostingLists

  constructor(engine: Engine, matrix: SparseMatrix, options: LayoutOptions) {
    this.matrix = matrix
    this.#options = options
    this.#scope = engine.arena.scope()
    this.block = this.#scope.allocate(Uint32Array, fields.length)
    let lists: PostingLists | undefined
    this.#lists = () => (lists ??= listByRow(matrix))
    this.#place('rowOffsets', Uint32Array.from(matrix.offsets))
    this.#placePairs('rowPairs', matrix.indices, matrix.values)
    this.#place('listOffsets', this.#lists().offsets)
    this.#number('rows', matrix.rows)
    this.#number('features', matrix.columns)
    this.#float('rowCost', options.rowCost ?? 40 + 1.5 * (matrix.entries / Math.max(1, matrix.rows)))
    this.#float('maxLength', longestRow(matrix))
    this.#placeLayers()
    lists = undefined // the other orders are rarely asked for: made again then
  }

  /** Makes sure that the lists an algorithm reads are there. */
  prepare(algorithm: Algorithm): void {
    if (this.#made.has(algorithm)) return
    this.#made.add(algorithm)
    if (algorithm === 'wand') this.#placeByRow()
    if (algorithm === 'partitioned') this.#placeParts()
    if (algorithm === 'threshold') this.#placeByValue()
  }

  free(): void {
    this.#scope.free()
  }

  #placeLayers(): void {
    const layers = cutIntoLayers(this.#lists())
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
    const parts = partition(this.#lists(), this.matrix.rows, this.#options.partitionBest)
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
    this.#number(field, this.#scope.place(array, 'the inverted index').pointer)
  }

  /** Numbers and values side by side: one stream of memory where there were two. */
  #placePairs(field: Field, numbers: Uint32Array, values: Float32Array): void {
    const slice = this.#scope.allocate(Uint32Array, 2 * numbers.length, 'the inverted index')
    const pairs = slice.array
    const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
    for (let i = 0; i < numbers.length; i++) {
      pairs[2 * i] = numbers[i]
      pairs[2 * i + 1] = bits[i]
    }
    this.#number(field, slice.pointer)
  }

  #number(field: Field, value: number): void {
    this.block.array[fields.indexOf(field)] = value
  }

  #float(field: Field, value: number): void {
    const { array } = this.block
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
