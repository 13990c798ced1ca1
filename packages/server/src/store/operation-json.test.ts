import { describe, expect, it } from 'vitest'
import type { Operation } from './operation.ts'
import { operationFromJson, operationToJson } from './operation-json.ts'

describe('operations as JSON', () => {
  it('come back as they were', () => {
    const values = Float32Array.of(0.1, -1e-40, 3e38)
    const operations: Operation[] = [
      { do: 'insert', explorations: 3, at: 7, key: 'a \ud800 text', value: { b: [null, 1e300] }, id: 'x' },
      { do: 'insert', explorations: 0, at: 7, key: { indices: Uint32Array.of(1, 5, 4e9), values }, value: null },
      {
        do: 'update',
        explorations: 0,
        at: 7,
        key: values,
        id: 4,
        explored: { tree: 0, node: 9, side: 'left' },
        reward: 0.1,
      },
      { do: 'learn', explorations: 2, at: 7 ** 40, key: 'k', rewards: [0, 1 / 3], except: 2 },
      { do: 'remove', explorations: 1, at: 7, id: '1' },
    ]
    for (const operation of operations) expect(operationFromJson(operationToJson(operation))).toEqual(operation)
  })

  it('are refused where they are none', () => {
    expect(() => operationFromJson('{"do":"dance"}')).toThrow('unknown operation dance')
    expect(() => operationFromJson('{"do":')).toThrow()
  })
})
