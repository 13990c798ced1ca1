// Every public call of memories, in memory and on disk, with arguments it takes.

import { join } from 'node:path'
import * as memory from '@vicinal/core/memory'
import { isMemoryStore, MemoryStore } from '@vicinal/server'
import {
  type Call,
  type Callable,
  dataset,
  functions,
  items,
  methods,
  Options,
  options,
  texts,
} from './wrong-types.call.ts'

export function memoryCalls(folder: string): Call[] {
  const tree = memory.MemoryTree.create()
  texts.forEach((text, i) => {
    tree.insert(text, i, { id: i })
  })
  const path = join(folder, 'x.memory')
  const probe = () => tree.query('word1').map(({ id, score }) => [id, score])
  const [hit] = tree.query('word1')
  return [
    {
      name: 'MemoryTree.save',
      args: [path, new Options({ overwrite: true })],
      run: (...given) => (tree as unknown as Callable).save?.(...given),
      probe,
    },
    ...methods(
      'MemoryTree',
      memory.MemoryTree,
      {
        create: [options],
        fromContents: [tree.contents(), options],
        load: [path, options],
        fromBytes: [tree.toBytes(), options],
      },
      probe,
    ),
    ...methods(
      'MemoryTree',
      tree,
      {
        ...{
          insert: ['a new text', 1, options],
          query: ['word1', options],
          update: [hit, 1],
          learn: ['word1', () => 1, options],
          upsert: ['word1', 1, new Options({ id: 1 })],
          explain: [hit],
        },
        ...{
          remove: [11],
          reroute: [1],
          get: [1],
          list: [options],
          count: [options],
          namespaces: [],
          memories: [],
          stats: [],
          check: [],
          settled: [],
          contents: [],
          toBytes: [],
        },
      },
      probe,
    ),
    {
      name: 'MemoryTree.explorations',
      args: [1],
      run: count => {
        tree.explorations = count as number
      },
      probe,
    },
    ...functions({ checkReplay: [dataset] }, memory),
    {
      name: 'replayMemory',
      args: [undefined, items, options],
      run: (given, ...rest) =>
        (memory.replayMemory as (...all: unknown[]) => unknown)(given ?? memory.MemoryTree.create(), ...rest),
    },
  ]
}

export async function storeCalls(folder: string): Promise<Call[]> {
  const store = await MemoryStore.create(join(folder, 'store'))
  await Promise.all(texts.map((text, i) => store.insert(text, i, { id: i })))
  const probe = () => store.query('word1').map(({ id, score }) => [id, score])
  const [hit] = store.query('word1')
  let created = 0
  const closing = async (opened: unknown) => (await (opened as Promise<MemoryStore>)).close()
  return [
    {
      name: 'MemoryStore.create',
      args: [undefined, options],
      run: (path, more) =>
        closing(MemoryStore.create((path ?? join(folder, `store ${created++}`)) as string, more as object)),
      probe,
    },
    {
      name: 'MemoryStore.open',
      args: [join(folder, 'store'), new Options({ readOnly: true })],
      run: (path, more) => closing(MemoryStore.open(path as string, more as object)),
      probe,
    },
    ...methods(
      'MemoryStore',
      store,
      {
        ...{
          insert: ['a new text', 1, options],
          insertMany: [[{ key: 'a new text', value: 1 }], options],
          query: ['word1', options],
          update: [hit, 1],
          learn: ['word1', () => 1, options],
          upsert: ['word1', 1, new Options({ id: 1 })],
          explain: [hit],
        },
        ...{
          remove: [11],
          get: [1],
          list: [options],
          count: [options],
          namespaces: [],
          memories: [],
          flushed: [],
          snapshot: [],
          stats: [],
          check: [],
        },
      },
      probe,
    ),
    {
      name: 'MemoryStore.backup',
      args: [undefined],
      run: file => store.backup((file ?? join(folder, `backup ${created++}`)) as string),
      probe,
    },
    {
      name: 'MemoryStore.restore',
      args: [undefined, undefined, options],
      run: async (file, path, more) => {
        const good = join(folder, `good ${created++}`)
        await store.backup(good)
        const made = MemoryStore.restore(
          (file ?? good) as string,
          (path ?? join(folder, `restored ${created++}`)) as string,
          more as object,
        )
        return closing(made)
      },
      probe,
    },
    { name: 'isMemoryStore', args: [folder], run: path => isMemoryStore(path as string) },
  ]
}
