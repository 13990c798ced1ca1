import { describe, expect, it } from 'vitest'
import { GroupCommit } from './group-commit.ts'
import type { Operation } from './operation.ts'
import { operationFromJson, operationToJson } from './operation-json.ts'
import { seal, unseal } from './sealed.ts'

describe('GroupCommit', () => {
  it('writes together what comes while it is writing, in order', async () => {
    const groups: number[][] = []
    const commits = new GroupCommit<number>(async items => {
      groups.push([...items])
      await new Promise(setImmediate)
    })
    const first = commits.add(1)
    await Promise.resolve() // the first write has begun
    await Promise.resolve()
    const later = [2, 3, 4].map(item => commits.add(item))
    await Promise.all([first, ...later])
    expect(groups).toEqual([[1], [2, 3, 4]])
  })

  it('runs other work between what came before and what comes after', async () => {
    const done: string[] = []
    const commits = new GroupCommit<string>(async items => {
      done.push(items.join())
    })
    await Promise.all([
      commits.add('a'),
      commits.add('b'),
      commits.run(async () => {
        done.push('work')
      }),
      commits.add('c'),
    ])
    expect(done).toEqual(['a,b', 'work', 'c'])
  })

  it('writes nothing after a failure, and fails everything with it', async () => {
    const written: number[] = []
    const failure = new Error('full')
    const commits = new GroupCommit<number>(async ([item]) => {
      if (item === 2) throw failure
      written.push(item as number)
    })
    await commits.add(1)
    await expect(commits.add(2)).rejects.toBe(failure)
    await expect(commits.add(3)).rejects.toBe(failure)
    await expect(commits.flushed()).rejects.toBe(failure)
    expect(written).toEqual([1])
  })
})

describe('sealed records', () => {
  it('open under their own name only, and only unchanged', () => {
    const record = seal(7, '{"a":"é"}')
    expect(unseal(7, record)).toBe('{"a":"é"}')
    expect(unseal(8, record)).toBeUndefined()
    expect(unseal(7, record.subarray(0, -1))).toBeUndefined()
    expect(unseal(7, record.subarray(0, 3))).toBeUndefined()
    for (let at = 0; at < record.length; at++) {
      const changed = Buffer.from(record)
      changed[at] = (changed[at] as number) ^ 1
      expect(unseal(7, changed)).toBeUndefined()
    }
  })
})

describe('operations as JSON', () => {
  it('come back as they were', () => {
    const values = Float32Array.of(0.1, -1e-40, 3e38)
    const operations: Operation[] = [
      { do: 'insert', explorations: 3, key: 'a \ud800 text', value: { b: [null, 1e300] }, id: 'x' },
      { do: 'insert', explorations: 0, key: { indices: Uint32Array.of(1, 5, 4e9), values }, value: null },
      { do: 'update', explorations: 0, key: values, id: 4, explored: { tree: 0, node: 9, side: 'left' }, reward: 0.1 },
      { do: 'learn', explorations: 2 ** 40, key: 'k', rewards: [0, 1 / 3], except: 2 },
      { do: 'remove', explorations: 1, id: '1' },
    ]
    for (const operation of operations) expect(operationFromJson(operationToJson(operation))).toEqual(operation)
  })

  it('are refused where they are none', () => {
    expect(() => operationFromJson('{"do":"dance"}')).toThrow('no operation is called dance')
    expect(() => operationFromJson('{"do":')).toThrow()
  })
})
