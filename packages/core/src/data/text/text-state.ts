// A text pipeline as a JSON value, and back. Weights are stored and not computed again on loading, with the nine digits
// that name a 32-bit float exactly, so that a stored pipeline answers the same on another machine.

import { EngineError } from '../../errors.ts'
import { HashedSpace } from './hashing.ts'
import { optionNames, resolveTextOptions, type TextOptions, textDefaults } from './text-options.ts'
import { TokenTable } from './token-table.ts'
import { Tokenizer } from './tokenizer.ts'

const stateVersion = 1
/** Far more than any inverse document frequency: times a count, it still fits 32 bits. */
const mostWeight = 2 ** 32

/** What shapes a pipeline's answers. */
export interface TextParts {
  readonly options: Required<TextOptions>
  readonly tokenizer: Tokenizer
  readonly space: TokenTable | HashedSpace
  /** One weight a column; undefined if all are 1. */
  readonly idf: Float32Array | undefined
}

/** A fitted pipeline as JSON, as model files keep it. */
export interface TextState {
  readonly version: number
  readonly options: Required<TextOptions>
  /** The token table, ascending by code units; absent if columns are hashes. */
  readonly features?: readonly string[]
  /** One weight per column; absent if all are 1. */
  readonly idf?: readonly number[]
}

export function writeTextState({ options, space, idf }: TextParts): TextState {
  return {
    version: stateVersion,
    options,
    ...(space instanceof TokenTable && { features: space.features }),
    ...(idf && { idf: Array.from(idf, weight => Number(weight.toPrecision(9))) }),
  }
}

export function readTextState(state: unknown): TextParts {
  const { version, options: stored, features, idf: weights } = readRecord(state, 'it')
  if (typeof version === 'number' && version > stateVersion) {
    throw new EngineError(
      'FORMAT_TOO_NEW',
      `the text pipeline has version ${version}, this Vicinal reads 1 to ${stateVersion}`,
      {
        hint: 'Update Vicinal to read it.',
      },
    )
  }
  if (version !== stateVersion) refuse(`its version is ${JSON.stringify(version)}`)
  const { options, tokenizer } = readOptions(stored)
  const space =
    options.hashBits > 0 ? new HashedSpace(options.hashBits, options.hashSign) : new TokenTable(readFeatures(features))
  return { options, tokenizer, space, idf: options.idf === 'none' ? undefined : readWeights(weights, space.columns) }
}

function readOptions(stored: unknown): Pick<TextParts, 'options' | 'tokenizer'> {
  const given = readRecord(stored, 'options')
  const unknown = Object.keys(given).find(name => !Object.hasOwn(textDefaults, name))
  if (unknown !== undefined) refuse(`unknown option "${unknown}"`)
  for (const name of optionNames) if (given[name] === undefined) refuse(`its option ${name} is missing`)
  try {
    const options = resolveTextOptions(given)
    return { options, tokenizer: new Tokenizer(options) }
  } catch (error) {
    if (error instanceof EngineError && error.code === 'INVALID_OPTION') refuse(error.message, error)
    throw error
  }
}

function readFeatures(features: unknown): string[] {
  if (!Array.isArray(features)) return refuse('it has no features')
  features.forEach((feature: unknown, column) => {
    if (typeof feature !== 'string') refuse(`feature ${column} is not a string`)
    if (column > 0 && !(features[column - 1] < feature)) refuse(`feature ${column} is out of order`)
  })
  return features
}

function readWeights(weights: unknown, columns: number): Float32Array {
  if (!Array.isArray(weights) || weights.length !== columns) return refuse(`it does not have ${columns} idf weights`)
  return Float32Array.from(weights, (weight: unknown, column) => {
    const valid = typeof weight === 'number' && weight >= 0 && weight <= mostWeight
    return valid ? weight : refuse(`the idf weight of column ${column} is ${JSON.stringify(weight)}`)
  })
}

function readRecord(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) refuse(`${what} is not an object`)
  return value as Record<string, unknown> // any object can be read by name; the values stay unknown
}

function refuse(problem: string, cause?: unknown): never {
  throw new EngineError('MODEL_DAMAGED', `the text pipeline cannot be loaded: ${problem}`, {
    hint: 'The model file is damaged. Train again, or use another copy.',
    cause,
  })
}
