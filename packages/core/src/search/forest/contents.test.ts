import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineError } from '../../errors.ts'
import { Engine } from '../../kernels/engine.ts'
import type { ModelContents } from '../../store/header.ts'
import type { JsonObject } from '../../store/json.ts'
import { type TensorArray, tensor1d } from '../../store/tensor.ts'
import { clustered, idsOf } from '../index-oracle.cases.ts'
import { ForestIndex } from './forest-index.ts'
import type { ForestFitOptions } from './options.ts'

const engine = new Engine()
const rows = clustered(2, 90, 8)
const query = clustered(3, 1, 8).row(0)

/** Contents of one index of each kind of split, view and rule. */
const kinds: readonly ForestFitOptions[] = [
  { grower: 'kd' },
  { grower: 'random-projection', view: 'rows', metric: 'dot' },
  { grower: 'pca', rule: 'voting', metric: 'cosine' },
  { keep: 'codes' },
  { keep: 'sketch' },
]
let saved: ModelContents[]

beforeAll(async () => {
  saved = []
  for (const kind of kinds) {
    const index = await ForestIndex.fit(rows, { engine, trees: 4, sketchDims: 5, labelNeighbors: 6, ...kind })
    saved.push(index.contents())
    index.free()
  }
})

afterAll(async () => {
  expect(engine.arena.usedBytes).toBe(0)
  await engine.close()
})

const withTensor = (contents: ModelContents, name: string, array: TensorArray): ModelContents => ({
  ...contents,
  tensors: { ...contents.tensors, [name]: tensor1d(array) },
})
const withMeta = (contents: ModelContents, meta: JsonObject): ModelContents => ({
  ...contents,
  meta: { ...contents.meta, ...meta },
})
const ownTensors = (contents: ModelContents): string[] => Object.keys(contents.tensors).filter(name => name !== 'ids')

/** The message of a refusal, or 'loaded' where the contents are taken: then searching and adding must work, with what is there. */
function outcome(contents: ModelContents): string {
  const before = engine.arena.usedBytes
  try {
    const index = ForestIndex.fromContents(contents, { engine, name: 'it' })
    for (const probes of [0, 7, 4096]) {
      const found = idsOf(index.search(query, { k: 20, probes }))
      expect([found.length, new Set(found).size, found.every(id => index.rowOf(id) === id)]).toEqual([20, 20, true])
    }
    index.add(query)
    index.remove(0)
    index.search(query, { filter: id => id !== 3 })
    index.contents()
    index.free()
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'MODEL_DAMAGED') throw error
    expect(engine.arena.usedBytes).toBe(before)
    return error.message.replace("it is not a valid 'forest' index: ", '')
  }
  expect(engine.arena.usedBytes).toBe(before)
  return 'loaded'
}

describe('contents of a forest index', () => {
  it('are refused where the effort gives lookup a threshold', () => {
    const [first] = saved
    const voting = { ...first, options: { ...first.options, rule: 'lookup' } }
    const effort = { trees: 4, threshold: 0.5, probes: 0, rerank: 80 }
    expect(outcome(withMeta(voting, { effort }))).toContain('its effort is not valid')
    expect(outcome(withMeta(voting, { effort: { ...effort, threshold: 0 } }))).toBe('loaded')
  })

  it('are taken as they were given', () => {
    expect(saved.map(outcome)).toEqual(kinds.map(() => 'loaded'))
  })

  it('are refused where a tensor is missing, of another type, too short or too long', () => {
    for (const contents of saved) {
      for (const name of ownTensors(contents)) {
        const { array } = contents.tensors[name]
        const { [name]: _, ...others } = contents.tensors
        // Every typed array can be cut, and made longer, by its own type.
        const Type = array.constructor as Uint32ArrayConstructor
        const longer = new Type(array.length + 1)
        longer.set(array as Uint32Array)
        const damages = [
          { ...contents, tensors: others },
          withTensor(contents, name, Float64Array.from(array as Float32Array)),
          withTensor(contents, name, longer),
          ...(array.length > 0 ? [withTensor(contents, name, array.slice(0, -1)), withTensor(contents, name, new Type(0))] : []), // biome-ignore format: one line
        ]
        for (const [i, damage] of damages.entries()) expect([name, i, outcome(damage)]).not.toContain('loaded')
      }
    }
  })

  it('are refused, or harmless, where a whole number is any other', () => {
    for (const contents of saved) {
      for (const name of ownTensors(contents)) {
        const { array } = contents.tensors[name]
        if (!(array instanceof Uint32Array)) continue
        const places = [0, 1, 2, 3, 4, 5, array.length >> 1, array.length - 1].filter(
          at => at >= 0 && at < array.length,
        )
        for (const at of places) {
          for (const number of [0, 1, array[at] + 1, 0x7fffffff, 0xffffffff]) {
            outcome(withTensor(contents, name, array.with(at, number)))
          }
        }
      }
    }
  })

  it('are refused, or harmless, where a number is not finite or huge', () => {
    for (const contents of saved) {
      for (const name of ownTensors(contents)) {
        const { array } = contents.tensors[name]
        if (!(array instanceof Float32Array) || array.length === 0) continue
        for (const number of [Number.NaN, Number.POSITIVE_INFINITY, -3e38]) {
          outcome(withTensor(contents, name, array.with(0, number)))
          outcome(withTensor(contents, name, new Float32Array(array.length).fill(number)))
        }
      }
    }
  })

  it('are refused with what is wrong with them', () => {
    const [kd, projected, pca] = saved
    const entries = kd.tensors['forest.entries'].array as Uint32Array
    const forest = kd.meta.forest as JsonObject
    const effort = kd.meta.effort as JsonObject
    const about = (change: JsonObject) => withMeta(kd, { forest: { ...forest, ...change } })
    const asked = (change: JsonObject) => withMeta(kd, { effort: { ...effort, ...change } })
    const set = (contents: ModelContents, name: string, at: number, number: number) =>
      withTensor(contents, name, (contents.tensors[name].array as Uint32Array).with(at, number))
    const cases: [ModelContents, string][] = [
      [withMeta(kd, { forest: 5 }), 'a part of its description is missing'],
      [withMeta(kd, { effort: null }), 'a part of its description is missing'],
      [withMeta(kd, { steps: 'many' }), 'a number is missing'],
      [withMeta(kd, { tuning: 'good' }), 'a part of its description is missing'],
      [withMeta(kd, { tuning: { chosen: { effort } } }), 'its tuning has no curve'],
      [withMeta(kd, { tuning: { curve: [{}], chosen: { effort } } }), 'a part of its description is missing'],
      [{ ...kd, options: { ...kd.options, grower: 'oak' } }, 'its options are not valid'],
      [{ ...kd, options: { ...kd.options, view: 'rows' } }, 'its trees do not see its rows'],
      [{ ...projected, options: { ...projected.options, view: 'sketch' } }, 'its trees do not see its sketch'],
      [about({ splits: 'diagonal' }), 'its splits are of an unknown kind'],
      [about({ trees: 2.5 }), '2.5 is not a whole number'],
      [about({ trees: 3 }), 'its trees are broken'],
      [about({ depth: 65 }), 'its trees have 65 levels'],
      [about({ labels: 89 }), 'its forest was grown for other rows'],
      [about({ countBits: 0 }), 'its counts are broken'],
      [about({ countBits: 32 }), 'its counts are broken'],
      [asked({ trees: 5 }), 'its effort is not valid'],
      [asked({ trees: 0 }), 'its effort is not valid'],
      [asked({ trees: 1.5 }), '1.5 is not a whole number'],
      [asked({ probes: 1e9 }), 'its effort is not valid'],
      [asked({ rerank: 0 }), 'its effort is not valid'],
      [asked({ threshold: -1 }), 'a number is missing'],
      [set(kd, 'forest.entries', 0, 0xffffffff), 'a leaf names a row that does not exist'],
      [
        withTensor(
          kd,
          'forest.entries',
          entries.map(() => 0),
        ),
        'a leaf counts a row that it does not have',
      ],
      [set(kd, 'forest.offsets', 1, 0xffffffff), 'its leaves are broken'],
      [set(kd, 'forest.nodes', 0, 7), 'tree 0 leads nowhere'],
      [set(kd, 'forest.nodes', 2, 0), 'tree 0 leads nowhere'],
      [set(projected, 'forest.directionIndices', 0, 8), 'a direction names a dimension that does not exist'],
      [set(projected, 'forest.directionOffsets', 1, 0xffffffff), 'its directions are broken'],
      [withTensor(pca, 'forest.ownDirections', new Float32Array(0)), 'its directions are broken'],
      [set(pca, 'forest.nodes', 0, 0x7fffffff), 'tree 0 leads nowhere'],
      [withTensor(kd, 'codes', new Uint8Array(5)), 'its codes do not fit its rows'],
      [withTensor(kd, 'sketchAxes', new Float32Array(5)), 'its sketch is broken'],
    ]
    for (const [contents, message] of cases) expect(outcome(contents)).toBe(message)
  })
})
