// Every method on small made data, with a question for each. Tests fit and ask them in pages and in other runtimes.

import type * as core from '@vicinal/core'
import type * as margin from '@vicinal/core/margin'
import type * as memory from '@vicinal/core/memory'

/** The entry points, as the runtime has loaded them. */
export interface Entries {
  readonly core: typeof core
  readonly margin: typeof margin
  readonly memory: typeof memory
}

/** A fitted index, classifier or memory. */
export interface Fitted {
  toBytes(): Uint8Array
}

/** One method: how to fit it, how to load it, and what it answers. */
export interface MethodSample {
  readonly name: string
  readonly fit: (engine: core.Engine) => Promise<Fitted>
  readonly fromBytes: (bytes: Uint8Array | ArrayBuffer, engine: core.Engine) => Promise<Fitted>
  readonly answer: (fitted: Fitted) => unknown
}

/** Eleven samples. The data is the same in every runtime. */
export function everyMethod({ core, margin, memory }: Entries): MethodSample[] {
  const random = new core.Random(7)
  const pick = (n: number) => Math.floor(random.float() * n)
  const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))

  const dense = core.DenseMatrix.from(times(1500, i => times(24, () => random.normal() + (i % 5))))
  const near = dense.slice(0, 800)
  const sparseRow = () => {
    const entries = new Map(times(12, () => [Math.floor(random.float() ** 2 * 500), 0.1 + random.float()]))
    return [...entries].sort((a, b) => a[0] - b[0])
  }
  const sparse = core.SparseMatrix.from(times(2000, sparseRow), 500)
  const [many, few] = [labeledTexts(1000), labeledTexts(200)]

  /** Every second word of a text belongs to its label. */
  function labeledTexts(rows: number) {
    const own = Uint32Array.from({ length: rows }, () => pick(5))
    const word = (label: number) => `word${random.float() < 0.5 ? 10 * label + pick(10) : pick(100)}`
    const texts = Array.from(own, label => times(8, () => word(label)).join(' '))
    const offsets = Float64Array.from({ length: rows + 1 }, (_, i) => i)
    const labels = new core.LabelMatrix(rows, 5, offsets, own)
    return { name: 'made', rows, texts, labels, labelNames: ['a', 'b', 'c', 'd', 'e'] }
  }

  function sample<T extends Fitted>(
    name: string,
    fit: (engine: core.Engine) => Promise<T>,
    fromBytes: (bytes: Uint8Array | ArrayBuffer, place: { engine: core.Engine }) => Promise<T>,
    answer: (fitted: T) => unknown,
  ): MethodSample {
    return {
      name,
      fit,
      fromBytes: (bytes, engine) => fromBytes(bytes, { engine }),
      answer: fitted => answer(fitted as T), // made by this sample's fit or fromBytes
    }
  }

  const { ExactIndex, ForestIndex, InvertedIndex, SparseForestIndex, LcifClassifier, ForestClassifier } = core
  const { NetIndex, MarginClassifier } = margin
  const { MemoryClassifier, MemoryTree } = memory
  type DenseIndex = { search(query: core.DenseValues, options: { k: number }): unknown }
  type SparseIndex = { search(query: core.SparseRow, options: { k: number }): unknown }
  type Classifier = { predict(text: string): unknown }
  const search = (index: DenseIndex) => index.search(dense.row(3), { k: 5 })
  const searchSparse = (index: SparseIndex) => index.search(sparse.row(3), { k: 5 })
  const question = 'word3 word14 word35'
  const predict = (model: Classifier) => model.predict(question)
  const remember = async (engine: core.Engine) => {
    const tree = MemoryTree.create({ engine, clock: () => 0 })
    many.texts.forEach((text, i) => void tree.insert(text, i))
    return tree
  }
  const recall = (tree: memory.MemoryTree) =>
    tree.query('word3 word14', { k: 3 }).map(({ id, score, value }) => [id, score, value])

  // biome-ignore format: one line per method
  return [
    sample('ExactIndex', engine => ExactIndex.fit(dense, { engine }), ExactIndex.fromBytes, search),
    sample('ForestIndex', engine => ForestIndex.fit(dense, { engine, trees: 6 }), ForestIndex.fromBytes, search),
    sample('ForestIndex, tuned', engine => ForestIndex.fit(near, { engine, targetRecall: 0.9 }), ForestIndex.fromBytes, search),
    sample('InvertedIndex', engine => InvertedIndex.fit(sparse, { engine }), InvertedIndex.fromBytes, searchSparse),
    sample('SparseForestIndex', engine => SparseForestIndex.fit(sparse, { engine, trees: 8 }), SparseForestIndex.fromBytes, searchSparse),
    sample('NetIndex', () => NetIndex.fit(near), bytes => NetIndex.fromBytes(bytes), index => index.search(dense.row(3), { k: 5 })),
    sample('LcifClassifier', engine => LcifClassifier.fit(many, { engine }), LcifClassifier.fromBytes, predict),
    sample('ForestClassifier', engine => ForestClassifier.fit(many, { engine, trees: 3 }), ForestClassifier.fromBytes, predict),
    sample('MarginClassifier', engine => MarginClassifier.fit(few, { engine }), bytes => MarginClassifier.fromBytes(bytes), model => model.predict(question)),
    sample('MemoryClassifier', engine => MemoryClassifier.fit(many, { engine }), MemoryClassifier.fromBytes, predict),
    sample('MemoryTree', remember, (bytes, place) => MemoryTree.fromBytes(bytes, place), recall),
  ]
}
