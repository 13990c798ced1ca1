import { EngineError } from '@vicinal/core'
import { describe, expect, it } from 'vitest'
import { formatOptions, parseSettings, settableOptions } from './method-options.ts'

const defaults = { method: 'lcif', neighbors: 100, mix: 0.7, threshold: 'cardinality', allowEmpty: false, text: {} }

const parse = (...settings: string[]) => parseSettings('lcif', defaults, settings)

function refusal(...settings: string[]): Pick<EngineError, 'code' | 'message' | 'hint'> | undefined {
  try {
    parse(...settings)
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  return undefined
}

describe('parseSettings', () => {
  it('gives each value the type of the option', () => {
    expect(parse('neighbors=50', 'mix=1e-1', 'allowEmpty=true', 'threshold=priors')).toEqual({
      neighbors: 50,
      mix: 0.1,
      allowEmpty: true,
      threshold: 'priors',
    })
  })

  it('takes a number where an option may be a word or a number', () => {
    expect(parse('threshold=0.25')).toEqual({ threshold: 0.25 })
  })

  it('collects the options of a part, lists with commas', () => {
    expect(parse('text.stemmer=english', 'text.wordGrams=1,2', 'text.stopWords=of,2001')).toEqual({
      text: { stemmer: 'english', wordGrams: [1, 2], stopWords: ['of', '2001'] },
    })
    expect(parse('text.stopWords=')).toEqual({ text: { stopWords: [] } })
  })

  it('keeps all that follows the first equals sign, and the last of two values', () => {
    expect(parse('threshold=a=b', 'neighbors=1', 'neighbors=2')).toEqual({ threshold: 'a=b', neighbors: 2 })
  })

  it.each([
    ['neighbors', '--set neighbors has no value, expected name=value'],
    ['=5', '--set =5 has no value, expected name=value'],
    ['neighbors=', '--set neighbors=: expected a number such as 100'],
    ['neighbors=many', '--set neighbors=many: expected a number such as 100'],
    ['neighbors=Infinity', '--set neighbors=Infinity: expected a number such as 100'],
    ['allowEmpty=yes', '--set allowEmpty=yes: expected true or false'],
    ['text.wordGrams=1,x', '--set text.wordGrams=1,x: expected numbers such as 1,1'],
  ])('refuses --set %s', (setting, message) => {
    expect(refusal(setting)).toMatchObject({ code: 'INVALID_OPTION', message })
  })

  it.each(['nieghbors', 'method', 'text', 'text.color', 'toString'])(
    'does not know %s and lists what it knows',
    name => {
      const error = refusal(`${name}=1`)
      expect(error).toMatchObject({ code: 'UNKNOWN_NAME', message: `lcif has no option "${name}"` })
      expect(error?.hint).toMatch(
        /^(Did you mean "(neighbors|text\.idf)"\? )?Known: neighbors, mix, threshold, allowEmpty, text\.stemmer, .*\.$/,
      )
    },
  )
})

it('settableOptions and formatOptions name options alike', () => {
  expect(settableOptions(defaults)).toMatchObject({ neighbors: 100, 'text.wordGrams': [1, 1] })
  expect(formatOptions({ neighbors: 5, text: { wordGrams: [1, 2] } })).toEqual([
    ['neighbors', '5'],
    ['text.wordGrams', '1,2'],
  ])
})
