// Every public call of indexes and classifiers, with arguments it takes.

import { join } from 'node:path'
import * as margin from '@vicinal/core/margin'
import * as memory from '@vicinal/core/memory'
import * as core from './core-names.ts'
import { type Call, type Callable, items, methods, Options, options, rows, sparse, texts } from './wrong-types.call.ts'

export async function indexCalls(folder: string): Promise<Call[]> {
  const calls: Call[] = []
  const kinds = {
    ExactIndex: core.ExactIndex,
    ForestIndex: core.ForestIndex,
    InvertedIndex: core.InvertedIndex,
    SparseForestIndex: core.SparseForestIndex,
    NetIndex: margin.NetIndex,
  }
  for (const [name, Kind] of Object.entries(kinds)) {
    const takesSparse = name === 'InvertedIndex' || name === 'SparseForestIndex'
    const Index = Kind as unknown as typeof core.ForestIndex // one of them, with the rows it takes
    const [all, one] = (takesSparse ? [sparse, sparse.row(0)] : [rows, rows[0]]) as unknown as [number[][], number[]]
    const index = await Index.fit(all)
    const path = join(folder, `${name}.index`)
    await index.save(path)
    const contents = index.contents()
    const probe = () => index.search(one, { k: 3 })
    calls.push(
      ...methods(
        name,
        Index,
        {
          fit: [all, options],
          load: [path, options],
          fromBytes: [index.toBytes(), options],
          fromContents: [contents, options],
        },
        probe,
      ),
      ...methods(
        name,
        index,
        {
          ...{
            idOf: [0],
            rowOf: [0],
            search: [one, options],
            searchBatch: [all, options],
            add: [one, undefined],
            remove: [11],
          },
          ...{
            compact: [],
            contents: [],
            toBytes: [],
            save: [join(folder, 'saved'), new Options({ overwrite: true })],
          },
          ...('vector' in index && { vector: [0] }),
          ...('row' in index && { row: [0] }),
          ...('item' in index && { item: [0], dimension: [1] }),
          ...('placed' in index && { placed: [], nearest: [one, 3, 'auto'], nearestBatch: [all, options] }),
          ...('searchCandidates' in index && { searchCandidates: [one, options] }),
          filter: [new Set([1])],
          ...('openFilter' in index && { openFilter: [new Set([1])] }),
          ...('exactBatch' in index && { exactBatch: [all, options] }),
        },
        probe,
      ),
    )
  }
  return calls
}

export async function classifierCalls(folder: string): Promise<Call[]> {
  const calls: Call[] = []
  const kinds = {
    LcifClassifier: core.LcifClassifier,
    ForestClassifier: core.ForestClassifier,
    MarginClassifier: margin.MarginClassifier,
    MemoryClassifier: memory.MemoryClassifier,
  }
  for (const [name, Kind] of Object.entries(kinds)) {
    const model = await Kind.fit(items)
    const path = join(folder, `${name}.model`)
    await model.save(path)
    const probe = () => model.predict('word1 other0')
    calls.push(
      ...methods(
        name,
        Kind,
        {
          ...{ fit: [items, quick(name)], load: [path, options], fromBytes: [model.toBytes(), options] },
          fromContents: [model.contents(), options],
        },
        probe,
      ),
      ...('tune' in Kind
        ? methods(name, Kind, { tune: [items, new Options({ ...quick(name).needed, metric: 'p@1' })] }, probe)
        : []),
      ...methods(
        name,
        model,
        {
          ...{
            predict: ['word1', options],
            predictBatch: [texts, options],
            predictSets: [texts, options],
            explain: ['word1', 'odd'],
            nameLabels: [core.Vocabulary.create([{ id: 'odd', names: 'Odd' }])],
          },
          ...{
            labelCounts: [],
            ...('labelVectors' in model && { labelVectors: [[0]] }),
            ...('labelDistances' in model && { labelDistances: [[0]] }),
            partialFit: [[{ text: 'word1', labels: ['odd'] }]],
            remove: [[10]],
            contents: [],
          },
          ...{ save: [join(folder, 'saved'), new Options({ overwrite: true })] },
          ...('describeTree' in model && { describeTree: [0] }),
          ...('stats' in model && { stats: [] }),
        },
        probe,
      ),
    )
  }
  for (const name of core.methodNames()) {
    const method = core.findMethod(name)
    calls.push({
      name: `tune of ${name}`,
      args: [items, { metric: 'p@1' }], // its options are those of tune above

      run: (...given) => (method as unknown as Callable).tune?.(...given),
    })
  }
  return calls
}

/** Options under which a classifier of twelve rows is fitted at once. */
function quick(name: string): Options {
  if (name === 'LcifClassifier') return new Options({ weighting: 'none' })
  return new Options(name === 'ForestClassifier' ? { trees: 2 } : {})
}
