// The parts of a classifier's model file, by name. If a part is missing or has the wrong type or size, the model is damaged. The checksum
// finds accidents; this finds files that another program has written.

import { EngineError } from '../errors.ts'
import { finish, type Steps } from '../long-work.ts'
import { allAmounts } from './array-checks.ts'
import type { ModelContents } from './header.ts'
import { packStrings, packStringsInSteps, unpackStringsInSteps } from './packed-strings.ts'
import { type Tensor, type TensorArray, tensor1d } from './tensor.ts'

const changedHint = 'The model file is damaged. Train again, or use another copy.'

export class StoredParts {
  readonly contents: ModelContents
  readonly #name: string

  /** `name` is what messages call the file. */
  constructor(contents: ModelContents, name: string) {
    this.contents = contents
    this.#name = name
  }

  has(tensor: string): boolean {
    return this.contents.tensors[tensor] !== undefined
  }

  /** A tensor's array; with `length`, of exactly that many elements. */
  array<T extends TensorArray>(tensor: string, type: new (length: number) => T, length?: number): T {
    const found = this.contents.tensors[tensor]?.array
    if (!(found instanceof type)) return this.refuse(`there is no ${type.name} "${tensor}"`)
    if (length !== undefined && found.length !== length) {
      return this.refuse(`"${tensor}" has ${found.length} elements, expected ${length}`)
    }
    return found
  }

  /** A number of the header. */
  number(key: string): number {
    const value = this.contents.meta[key]
    return typeof value === 'number' && Number.isFinite(value)
      ? value
      : this.refuse(`"${key}" is ${JSON.stringify(value)}, expected a number`)
  }

  /** A number of the header that counts something. */
  whole(key: string): number {
    const value = this.number(key)
    const isWhole = Number.isSafeInteger(value) && value >= 0
    return isWhole ? value : this.refuse(`"${key}" is ${value}, expected a whole number`)
  }

  /** A list of `length` numbers of the header. */
  numbers(key: string, length: number): number[] {
    const list = this.contents.meta[key]
    const isList = Array.isArray(list) && list.length === length && list.every(Number.isFinite)
    return isList ? (list as number[]) : this.refuse(`"${key}" is not a list of ${length} numbers`) // checked: all numbers
  }

  /** A tensor of finite numbers that are at least 0. */
  amounts<T extends Float32Array | Float64Array>(tensor: string, type: new (length: number) => T, length?: number): T {
    const array = this.array(tensor, type, length)
    return allAmounts(array) ? array : this.refuse(`"${tensor}" has numbers that are negative or not finite`)
  }

  /** What `packNames` packed under this name, `length` of them if that is given; undefined if there was nothing. */
  names(name: string, length?: number): string[] | undefined {
    return finish(this.namesInSteps(name, length))
  }

  *namesInSteps(name: string, length?: number): Steps<string[] | undefined> {
    if (!this.has(`${name}.ends`)) return undefined
    const bytes = this.array(`${name}.bytes`, Uint8Array)
    const ends = this.array(`${name}.ends`, Float64Array, length)
    try {
      return yield* unpackStringsInSteps({ bytes, ends })
    } catch (error) {
      return this.#refuseFor(error)
    }
  }

  /** Calls `make` with the parts. If it throws, the model is damaged. */
  checked<T>(make: () => T): T {
    try {
      return make()
    } catch (error) {
      return this.#refuseFor(error)
    }
  }

  refuse(problem: string, cause?: unknown): never {
    throw new EngineError('MODEL_DAMAGED', `the model cannot be loaded: ${problem}`, {
      where: { file: this.#name },
      hint: changedHint,
      cause,
    })
  }

  #refuseFor(error: unknown): never {
    return this.refuse(error instanceof Error ? error.message : String(error), error)
  }
}

/** A list of strings as two tensors, in steps: of every item, what `of` makes of it. */
export function* packNamesInSteps<T>(
  name: string,
  items: readonly T[],
  of: (item: T) => string,
): Steps<Record<string, Tensor>> {
  const { bytes, ends } = yield* packStringsInSteps(items, of)
  return { [`${name}.bytes`]: tensor1d(bytes), [`${name}.ends`]: tensor1d(ends) }
}

/** The same at once. Nothing if there is no list. */
export function packNames(name: string, names: readonly string[] | undefined): Record<string, Tensor> {
  if (!names) return {}
  const { bytes, ends } = packStrings(names)
  return { [`${name}.bytes`]: tensor1d(bytes), [`${name}.ends`]: tensor1d(ends) }
}
