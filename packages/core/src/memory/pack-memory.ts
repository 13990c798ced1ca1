// A memory as the contents of a model file, in steps: as it was at the first step, even if it changes between steps. What
// cannot change is only listed in that first step: the records of memories, and keys. What is small is copied: the shape of the trees.
// What routers overwrite is kept.

import { finish, type Steps } from '../long-work.ts'
import type { ModelContents } from '../store/header.ts'
import type { JsonObject } from '../store/json.ts'
import { packNamesInSteps } from '../store/stored-parts.ts'
import { type Tensor, tensor1d } from '../store/tensor.ts'
import { FrozenModels } from './learning/frozen-models.ts'
import { format, historyFields, never, storedMemory, timeFields } from './memory-contents.ts'
import type { MemoryState } from './memory-state.ts'
import type { KeyStore } from './table/key-store.ts'
import type { StoredMemory } from './table/memory-table.ts'
import { freezeTree } from './tree/tree-contents.ts'

/** Memories between two steps. */
const stepMemories = 512

/** All at once. */
export function packMemory(state: MemoryState): ModelContents {
  return finish(packMemoryInSteps(state))
}

/** Begin, and do nothing else in that turn, to get the memory as it is then. */
export function* packMemoryInSteps(state: MemoryState): Steps<ModelContents> {
  const stay = state.engine.readers.hold()
  const keys = state.table.keys.freeze()
  const trees = state.trees.map((tree, i) => freezeTree(`tree${i}`, tree, state.place))
  const { weights, opinions } = state.scorer.models
  const scorer = new FrozenModels(state.place, [weights, opinions])
  const weightWords = weights.wordCount
  try {
    const described = describe(state)
    const memories = state.table.all()
    yield 0
    // First, because changes of routers cost more until they are read.
    const routers: Record<string, Tensor> = {}
    for (const tree of trees) Object.assign(routers, yield* tree.pack())
    const learned = yield* scorer.pack()
    const table = yield* packTable(memories)
    const words = {
      scorer: tensor1d(learned.subarray(0, weightWords)),
      opinions: tensor1d(learned.subarray(weightWords)),
    }
    return { ...described, tensors: { ...table, ...(yield* packKeys(state.table.keys, keys)), ...words, ...routers } }
  } finally {
    for (const tree of trees) tree.release()
    scorer.release()
    keys.release()
    stay()
  }
}

function describe(state: MemoryState): Pick<ModelContents, 'method' | 'options' | 'meta'> {
  const { settings, table, trees, scorer, reader, random, time, explorations } = state
  const { learner, ...options } = settings
  return {
    method: storedMemory,
    // Options hold only what JSON can hold, though their types do not say so.
    options: { ...options, learner: learner.name } as unknown as JsonObject,
    meta: {
      ...{ format, memories: table.count, nextId: table.nextId, time, explorations },
      random: random.state(),
      calibration: { ...scorer.calibration },
      ...(reader.shape && { keys: { ...reader.shape } }),
      nextNumbers: trees.map(({ nextNumber }) => nextNumber),
    },
  }
}

function* packTable(memories: readonly StoredMemory[]): Steps<Record<string, Tensor>> {
  const strings = (name: string, of: (memory: StoredMemory) => string) => packNamesInSteps(name, memories, of)
  const some = (field: OptionalField) => anyHas(memories, field)
  return {
    ...(yield* strings('ids', ({ id }) => JSON.stringify(id))),
    ...(yield* strings('values', ({ value }) => value)),
    ...((yield* some('learnedAs')) && (yield* strings('learnedAs', ({ learnedAs }) => learnedAs ?? ''))),
    // As JSON, which can hold half a surrogate pair.
    ...((yield* some('namespace')) &&
      (yield* strings('namespaces', ({ namespace }) => JSON.stringify(namespace ?? null)))),
    ...(memories[0]?.text !== undefined && (yield* strings('texts', ({ text }) => JSON.stringify(text)))),
    ...((yield* some('metadata')) && (yield* strings('metadata', ({ metadata }) => metadata ?? 'null'))),
    times: yield* packNumbers(memories, timeFields, ({ createdAt, expiresAt = never }) => [createdAt, expiresAt]),
    history: yield* packNumbers(memories, historyFields, ({ born, touched, reward, rewards }) => {
      return [born, touched, reward, rewards]
    }),
  }
}

type OptionalField = 'namespace' | 'metadata' | 'learnedAs'

function* anyHas(memories: readonly StoredMemory[], field: OptionalField): Steps<boolean> {
  for (const [slot, memory] of memories.entries()) {
    if (memory[field] !== undefined) return true
    if (slot % stepMemories === 0) yield slot
  }
  return false
}

function* packNumbers(
  memories: readonly StoredMemory[],
  fields: number,
  of: (memory: StoredMemory) => readonly number[],
): Steps<Tensor> {
  const array = new Float64Array(fields * memories.length)
  for (const [slot, memory] of memories.entries()) {
    array.set(of(memory), fields * slot)
    if (slot % stepMemories === 0) yield slot
  }
  return { array, shape: [memories.length, fields] }
}

function* packKeys(keys: KeyStore, frozen: ReturnType<KeyStore['freeze']>): Steps<Record<string, Tensor>> {
  const { sizes, features, values } = yield* keys.pack(frozen)
  return { keySizes: tensor1d(sizes), keyFeatures: tensor1d(features), keyValues: tensor1d(values) }
}
