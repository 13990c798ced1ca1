import { describe, expect, it } from 'vitest'
import type { Dataset } from '../data/dataset.ts'
import { Engine } from '../kernels/engine.ts'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { setReward } from './learning/set-reward.ts'
import { clock } from './memory.cases.ts'
import { MemoryTree } from './memory-tree.ts'
import { replayMemory } from './replay-memory.ts'

const dataset: Dataset = {
  name: 'errands',
  rows: 4,
  texts: ['buy bread', 'sail the boat', 'buy bread', 'sail the boat'],
  labels: LabelMatrix.from([[0], [1], [0], [1]], 2),
  labelNames: ['baking', 'shipping'],
}

async function replay(data: Dataset, passes = 1) {
  const memory = MemoryTree.create({ clock, engine: new Engine() })
  const replayed = await replayMemory(memory, data, { passes })
  return { memory, replayed }
}

describe('replayMemory', () => {
  it('asks about every row before it is learned and stored: two of four were never seen', async () => {
    const { memory, replayed } = await replay(dataset)
    expect(replayed.passes).toEqual([{ reward: 0.5, entropyReduction: 0 }])
    expect([replayed.singleLabel, replayed.unusable, memory.size]).toEqual([true, 0, 4])
    expect(memory.query('buy bread')[0]?.value).toEqual(['baking'])
  })

  it('leaves out a row itself in later passes, and stores nothing again', async () => {
    const { memory, replayed } = await replay(dataset, 2)
    expect(replayed.passes.map(({ reward }) => reward)).toEqual([0.5, 1])
    expect(memory.size).toBe(4)
  })

  it('counts rows that can be no keys', async () => {
    const { replayed } = await replay({ ...dataset, texts: ['buy bread', '', '…', 'buy bread'] })
    expect(replayed.unusable).toBe(2)
  })

  it('refuses data without labels, and passes that are none', async () => {
    await expect(replay({ name: 'bare', rows: 1, texts: ['a'] })).rejects.toMatchObject({ code: 'EMPTY_DATA' })
    await expect(replay(dataset, 0)).rejects.toThrow('passes is 0')
  })

  it('stops at a signal', async () => {
    const memory = MemoryTree.create({ clock, engine: new Engine() })
    await expect(replayMemory(memory, dataset, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    })
  })
})

it('rewards sets of labels by F1', () => {
  expect([setReward([], []), setReward([1], [1]), setReward([1], [2]), setReward([1, 2], [2, 3, 4])]).toEqual([
    1, 1, 0, 0.4,
  ])
})
