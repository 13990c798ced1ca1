import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../store/json.ts'
import { valueJson } from './value-json.ts'

describe('the JSON of a value', () => {
  it('is that of JSON.stringify', () => {
    const values: Json[] = [null, true, 0, -1.5, '', 'ä"\ud800', [], {}, [1, [null]], { value: { value: 1 } }]
    expect(values.map(valueJson)).toEqual(values.map(value => JSON.stringify(value)))
  })

  it('comes back as it went in', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), value => {
        const json = value as Json // what fast-check calls a JSON value
        expect(JSON.stringify(JSON.parse(valueJson(json)))).toBe(JSON.stringify(json))
      }),
    )
  })

  it('is that of JSON.stringify for objects that are as good as plain ones', () => {
    const nameless = Object.assign(Object.create(null), { a: {} })
    const boxed = [Object(1), Object(''), Object(false)]
    const values = [Object.create(null), nameless, runInNewContext('({ a: {}, b: [] })'), runInNewContext('({})')]
    values.push(boxed, new Date(0), new (class Empty {})(), Object.assign(new Error('x'), { code: 7 }))
    expect(values.map(valueJson)).toEqual(values.map(value => JSON.stringify(value)))
  })

  it('asks for what a promise gives, not for the promise', () => {
    const promise = Promise.resolve(1) as unknown as Json // callers without types may give it
    expect(() => valueJson(promise)).toThrow(expect.objectContaining({ hint: 'Await it first.' }))
  })

  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic

  it.each([
    ['undefined', undefined, 'the value is undefined, which JSON cannot hold'],
    ['a function', () => 1, 'the value: "value" is Function, which JSON cannot hold'],
    ['NaN', Number.NaN, 'the value: "value" is NaN, which JSON cannot hold'],
    ['infinite', Number.POSITIVE_INFINITY, 'the value: "value" is Infinity, which JSON cannot hold'],
    ['a BigInt', 1n, 'the value: "value" is BigInt, which JSON cannot hold'],
    ['a symbol', Symbol('x'), 'the value: "value" is Symbol, which JSON cannot hold'],
    ['a Map', new Map(), 'the value: "value" is Map, which JSON cannot hold'],
    ['a typed array', new Float32Array(1), 'the value: "value" is Float32Array, which JSON cannot hold'],
    ['a promise', Promise.resolve(1), 'the value: "value" is Promise, which JSON cannot hold'],
    ['a promise deep inside', [{ answer: Promise.resolve(1) }], 'the value: "answer" is Promise, which'],
    ['a buffer', new ArrayBuffer(2), 'the value: "value" is ArrayBuffer, which JSON cannot hold'],
    ['a regular expression', /x/, 'the value: "value" is RegExp, which JSON cannot hold'],
    ['an error', new Error('x'), 'the value: "value" is Error, which JSON cannot hold'],
    ['a WeakMap', new WeakMap(), 'the value: "value" is WeakMap, which JSON cannot hold'],
    ['a Map of another realm', runInNewContext('new Map([[1, 2]])'), 'the value: "value" is Map, which'],
    ['a list with a hole', [1, undefined], 'the value: "1" is Undefined, which JSON cannot hold'],
    ['NaN deep inside', { a: [{ b: Number.NaN }] }, 'the value: "b" is NaN, which JSON cannot hold'],
    ['its own part', cyclic, /^the value cannot be written as JSON: TypeError: .*circular/],
    [
      'an object whose toJSON gives nothing',
      { toJSON: () => undefined },
      'the value is undefined, which JSON cannot hold',
    ],
  ])('is refused where the value is %s', (_, value, message) => {
    // Callers without types may give anything.
    expect(() => valueJson(value as Json)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    expect(() => valueJson(value as Json)).toThrow(message)
  })
})
