import { describe, expect, it } from 'vitest'
import { EngineError, shown } from './errors.ts'
import {
  checkedLater,
  checkOptions,
  checkWhole,
  checkWord,
  fillOptions,
  optionTable,
  unknownOption,
  workChecks,
} from './options.ts'

const table = optionTable<{ k?: number; filter?: unknown; signal?: AbortSignal; onProgress?: () => void }>({
  k: (name, value) => checkWhole(name, value, 1, 10),
  filter: checkedLater,
  ...workChecks,
})

function faultOf(work: () => unknown): EngineError {
  try {
    work()
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('checkOptions', () => {
  it('takes options it knows, undefined counting as absent', () => {
    checkOptions({}, table)
    checkOptions({ k: 3, filter: undefined, signal: AbortSignal.abort(), onProgress: () => {} }, table)
    checkOptions({ unknown: undefined }, table)
    checkOptions(Object.create(null), table)
    checkOptions(new (class { k = 3 })(), table) // biome-ignore format: one line
  })

  it('refuses an option it does not know, with the one that was probably meant', () => {
    const fault = faultOf(() => checkOptions({ fliter: () => true }, table))
    expect(fault).toMatchObject({ code: 'UNKNOWN_NAME', message: 'unknown option "fliter"' })
    expect(fault.hint).toBe('Did you mean "filter"? Known: k, filter, signal, onProgress.')
    expect(faultOf(() => checkOptions({ zebra: 1 }, table)).hint).toBe('Known: k, filter, signal, onProgress.')
    expect(unknownOption('x', []).hint).toBe('This call takes no options.')
  })

  it('finds a misspelled option that is inherited', () => {
    expect(faultOf(() => checkOptions(Object.create({ fliter: 1 }), table)).message).toBe('unknown option "fliter"')
  })

  it('refuses values that an option cannot have', () => {
    expect(faultOf(() => checkOptions({ k: 'x' }, table)).message).toBe(
      "k is 'x', expected a whole number from 1 to 10",
    )
    expect(faultOf(() => checkOptions({ k: null }, table)).message).toContain('k is null')
    expect(faultOf(() => checkOptions({ signal: {} }, table)).message).toBe(
      'signal is an object, expected an AbortSignal',
    )
    expect(faultOf(() => checkOptions({ onProgress: 5 }, table)).message).toBe('onProgress is 5, expected a function')
  })

  it.each([
    [5, 'options are 5, expected an object'],
    [null, 'options are null, expected an object'],
    ['k', "options are 'k', expected an object"],
    [[3], 'options are [3], expected an object'],
    [new Map([['k', 3]]), 'options are a Map, expected an object'],
    [new Date(0), 'options are a Date, expected an object'],
    [Promise.resolve({ k: 3 }), 'options are a Promise, expected an object'],
    [() => {}, 'options are a function, expected an object'],
    [Symbol('k'), 'options are Symbol(k), expected an object'],
  ])('refuses %s as options', (options, message) => {
    expect(faultOf(() => checkOptions(options as object, table)).message).toBe(message)
    expect(faultOf(() => fillOptions({}, options as unknown as Record<string, unknown>)).message).toBe(message)
  })
})

describe('fillOptions', () => {
  const defaults = { trees: 3, seed: 1 }

  it('fills in defaults where nothing or undefined is given, and freezes', () => {
    expect(fillOptions(defaults, { trees: 5, seed: undefined })).toEqual({ trees: 5, seed: 1 })
    expect(Object.isFrozen(fillOptions(defaults, {}))).toBe(true)
  })

  it('leaves null to the check of the value: it is no default', () => {
    expect(fillOptions(defaults, { trees: null })).toEqual({ trees: null, seed: 1 })
  })

  it('refuses names that are neither defaults nor others, and suggests among both', () => {
    expect(fillOptions(defaults, { k: 5 }, table)).toEqual(defaults)
    expect(faultOf(() => fillOptions(defaults, { sed: 2 }, table)).hint).toMatch('Did you mean "seed"?')
    expect(faultOf(() => fillOptions(defaults, { fliter: 2 }, table)).hint).toMatch('Did you mean "filter"?')
    expect(faultOf(() => fillOptions(defaults, { toString: 2 })).message).toBe('unknown option "toString"')
  })
})

describe('checkWord', () => {
  it('suggests the word that was meant', () => {
    expect(faultOf(() => checkWord('metric', 'cosinus', ['cosine', 'dot'])).hint).toBe('Did you mean "cosine"?')
    expect(faultOf(() => checkWord('metric', 7, ['cosine', 'dot'])).hint).toBeUndefined()
  })
})

describe('shown', () => {
  it.each([
    ['word', "'word'"],
    ['x'.repeat(100), `'${'x'.repeat(60)}…'`],
    [1.5, '1.5'],
    [Number.NaN, 'NaN'],
    [7n, '7n'],
    [Symbol('s'), 'Symbol(s)'],
    [undefined, 'undefined'],
    [null, 'null'],
    [[1, 2], '[1, 2]'],
    [['a'], 'an array of length 1'],
    [new Float32Array(3), 'a Float32Array of length 3'],
    [new DataView(new ArrayBuffer(2)), 'a DataView'],
    [{ toString: null }, 'an object'],
    [Object.create(null), 'an object'],
    [new Set(), 'a Set'],
  ])('shows %s short', (value, text) => {
    expect(shown(value)).toBe(text)
  })
})
