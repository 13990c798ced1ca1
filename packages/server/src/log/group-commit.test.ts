import { describe, expect, it } from 'vitest'
import { GroupCommit } from './group-commit.ts'

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
