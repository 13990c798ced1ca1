import { describe, expect, it } from 'vitest'
import { type Json, maxJsonDepth, parseJson, toJson } from './json.ts'

const lists = (depth: number): Json => {
  let value: Json = 1
  for (let i = 0; i < depth; i++) value = [value]
  return value
}
const listText = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`
const message = `the value is nested more than ${maxJsonDepth} deep`

describe('the depth of stored JSON', () => {
  it('is limited by number, not by what the stack takes', () => {
    expect(toJson('the value', { value: lists(maxJsonDepth) })).toBe(`{"value":${listText(maxJsonDepth)}}`)
    for (const depth of [maxJsonDepth + 1, 3000, 1_000_000]) {
      expect(() => toJson('the value', { value: lists(depth) })).toThrow(message)
    }
  })

  it('counts lists and objects, also those that toJSON gives, but not those beside one another', () => {
    const wide = Array.from({ length: 1000 }, () => lists(maxJsonDepth - 1))
    const shared = lists(maxJsonDepth - 2)
    expect(() => toJson('the value', { a: wide, b: [shared, [shared], {}] })).not.toThrow()
    const late = { toJSON: () => lists(maxJsonDepth) } as unknown as Json // callers without types may give it
    expect(() => toJson('the value', { late })).not.toThrow()
    expect(() => toJson('the value', { late: [late] })).toThrow(message)
    let objects: Json = {}
    for (let i = 0; i < maxJsonDepth; i++) objects = { objects }
    expect(() => toJson('the value', { objects })).toThrow(message)
  })

  it('is limited in what is read too', () => {
    expect(parseJson('the value', listText(maxJsonDepth))).toEqual(lists(maxJsonDepth))
    expect(() => parseJson('the value', listText(100_000))).toThrow(message)
    expect(() => parseJson('the value', `{"a":[1,${listText(maxJsonDepth + 1)}]}`)).toThrow(message)
  })

  it('does not hide what else is wrong', () => {
    expect(() => parseJson('the value', '{"a":')).toThrow(SyntaxError)
    const cyclic: { self?: unknown } = {}
    cyclic.self = cyclic
    expect(() => toJson('the value', { cyclic: cyclic as Json })).toThrow('circular')
  })
})
