import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { EngineError } from '../errors.ts'
import { Engine } from '../kernels/engine.ts'
import { Random } from '../random.ts'
import type { ModelContents } from '../store/header.ts'
import type { Json, JsonObject } from '../store/json.ts'
import { type TensorArray, tensor1d } from '../store/tensor.ts'
import { type Learner, squaredLearner } from './learning/learner.ts'
import { bytesOf, clock, drawnRows, sparse } from './memory.cases.ts'
import type { MemoryKey } from './memory-key.ts'
import type { MemoryOptions } from './memory-options.ts'
import { MemoryTree } from './memory-tree.ts'

const engine = new Engine()
const folder = mkdtempSync(join(tmpdir(), 'memory-'))
afterAll(async () => {
  expect(engine.arena.usedBytes).toBe(0)
  rmSync(folder, { recursive: true })
  await engine.close()
})

const words = 'red green blue apple pear plum cat dog cow house tree river'.split(' ')
const texts = drawnRows(4, 80, words.length, 3).map(({ indices }) => Array.from(indices, i => words[i]).join(' '))

/** Inserts, rewards, supervised steps and removals: something of everything. */
function live(memory: MemoryTree, keys: readonly MemoryKey[], seed: number): unknown[] {
  const random = new Random(seed)
  const answers: unknown[] = []
  for (const key of keys) {
    const hits = memory.query(key, { k: 3, explore: 0.6 })
    answers.push(hits)
    if (hits[0]) memory.update(hits[0], random.float())
    memory.learn(key, value => (value === 1 ? 1 : 0))
    const id = memory.insert(key, random.below(3))
    if (random.below(5) === 0) answers.push(memory.remove(id))
    if (random.below(7) === 0) memory.insert(key, 3 + random.float(), { id: `own ${memory.stats().rewards} ${seed}` })
  }
  return answers
}

const kinds: [string, MemoryOptions, readonly MemoryKey[]][] = [
  ['sparse keys', { leafFactor: 1 }, drawnRows(3, 80)],
  ['dense keys, a capacity, three trees', { leafFactor: 1, capacity: 40, trees: 3 }, drawnRows(3, 80).map(({ values }) => [...values])], // biome-ignore format: one line
  [
    'texts, duplicates merged',
    { leafFactor: 1, duplicates: 'merge', learner: 'squared', text: { hashBits: 12 } },
    texts,
  ],
  ['one key only', { leafFactor: 1, balance: 0 }, Array(30).fill(sparse({ 1: 1 }))],
  ['nothing in it', { seed: 5 }, []],
]

function lived(options: MemoryOptions, keys: readonly MemoryKey[]): MemoryTree {
  const memory = MemoryTree.create({ ...options, engine, clock })
  live(memory, keys, 1)
  return memory
}

it('a memory that is loaded forgets memories that expire at the same time in the same order', () => {
  for (let seed = 0; seed < 20; seed++) {
    let now = 0
    const memory = MemoryTree.create({ engine, clock: () => now, seed, leafFactor: 1 })
    for (let id = 0; id < 40; id++) {
      memory.insert(`word${id % 7} other${id}`, id, { id, expiresAt: 100 + ((id * 7 + seed) % 3) })
    }
    for (let id = seed % 5; id < 40; id += 6) memory.remove(id)
    for (let id = 1; id < 40; id += 4) if (memory.get(id)) memory.update(id, { expiresAt: 101 })
    const loaded = MemoryTree.fromContents(memory.contents(), { engine, clock: () => now })
    now = 101
    for (const one of [memory, loaded]) one.insert('a new one', 0, { id: 'new' })
    expect(bytesOf(loaded)).toBe(bytesOf(memory))
    expect(memory.check()).toEqual([])
    memory.free()
    loaded.free()
  }
})

describe.each(kinds)('a memory with %s', (name, options, keys) => {
  it('that is loaded has the bytes of the one that was saved, and goes on as that does', async () => {
    const memory = lived(options, keys)
    const path = join(folder, `${name}.vicinal`)
    await memory.save(path)
    const loaded = await MemoryTree.load(path, { engine, clock })
    expect(bytesOf(loaded)).toBe(bytesOf(memory))
    expect(loaded.check()).toEqual([])
    expect(loaded.options).toEqual(memory.options)
    expect([...loaded.memories()]).toEqual([...memory.memories()])
    const more = keys.length > 0 ? [...keys].reverse() : drawnRows(8, 30)
    expect(live(loaded, more, 2)).toEqual(live(memory, more, 2))
    expect(bytesOf(loaded)).toBe(bytesOf(memory))
    memory.free()
    loaded.free()
  })
})

const memory = lived({ leafFactor: 1, capacity: 60, trees: 2, text: { hashBits: 12 } }, texts)
const saved = memory.contents()
memory.free()

const withTensor = (name: string, array: TensorArray): ModelContents => ({
  ...saved,
  tensors: { ...saved.tensors, [name]: tensor1d(array) },
})
const withMeta = (meta: JsonObject): ModelContents => ({ ...saved, meta: { ...saved.meta, ...meta } })
const withOptions = (options: JsonObject): ModelContents => ({ ...saved, options: { ...saved.options, ...options } })
const without = (part: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(part).filter(([key]) => key !== name))

/** The message of a refusal; 'loaded' where the contents are taken: then all must work. */
function outcome(contents: ModelContents): string {
  const before = engine.arena.usedBytes
  try {
    const memory = MemoryTree.fromContents(contents, { engine, clock, name: 'it' })
    expect(memory.check()).toEqual([])
    live(memory, texts.slice(0, 6), 3)
    expect(memory.query(texts[0], { k: 'all' }).every(({ score }) => score >= 0 && score <= 1)).toBe(true)
    expect(memory.check()).toEqual([])
    expect(memory.size).toBeLessThanOrEqual(memory.options.capacity)
    memory.free()
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'MODEL_DAMAGED') throw error
    expect(engine.arena.usedBytes).toBe(before)
    return error.message.replace('it: the model cannot be loaded: ', '')
  }
  expect(engine.arena.usedBytes).toBe(before)
  return 'loaded'
}

describe('contents of a memory', () => {
  it('are taken as they were given', () => {
    expect(outcome(saved)).toBe('loaded')
  })

  it.each(Object.keys(saved.tensors))(
    'are refused where %s is missing, of another type, too short or too long',
    name => {
      const { array } = saved.tensors[name]
      const { [name]: _, ...others } = saved.tensors
      // Every typed array can be made longer by its own type.
      const Type = array.constructor as Uint32ArrayConstructor
      const longer = new Type(array.length + 1)
      longer.set(array as Uint32Array)
      const other = array instanceof Float64Array ? Float32Array.from(array) : Float64Array.from(array as Uint32Array)
      const damages = [withTensor(name, other), withTensor(name, longer), withTensor(name, array.slice(0, -1)), withTensor(name, new Type(0))] // biome-ignore format: one line
      for (const [i, damage] of damages.entries()) expect([i, outcome(damage)]).not.toEqual([i, 'loaded'])
      expect(outcome({ ...saved, tensors: others })).not.toBe('loaded')
    },
  )

  const parts = Object.keys(saved.meta).filter(name => name !== 'format')

  it.each(parts)('are refused where "%s" is missing or something else', name => {
    expect(outcome({ ...saved, meta: without(saved.meta, name) })).not.toBe('loaded')
    for (const other of [null, 'x', [], {}, ['1', 2], [Number.NaN], true, -1, 0.5] as Json[]) {
      expect([other, outcome(withMeta({ [name]: other }))]).not.toEqual([other, 'loaded'])
    }
  })

  it('are refused in another format, with what to do', () => {
    const load = (meta: object) => () => MemoryTree.fromContents(withMeta(meta as typeof saved.meta), { engine, clock })
    expect(load({ format: 1 })).toThrow(expect.objectContaining({ code: 'UNKNOWN_FORMAT' }))
    expect(load({ format: undefined })).toThrow('saved by a version before the first release')
    expect(load({ format: 99 })).toThrow(expect.objectContaining({ code: 'FORMAT_TOO_NEW' }))
    expect(load({ format: 'x' })).toThrow(expect.objectContaining({ code: 'MODEL_DAMAGED' }))
  })

  it('are refused, or harmless, where a whole number is any other', () => {
    for (const [name, { array }] of Object.entries(saved.tensors)) {
      if (!(array instanceof Uint32Array)) continue
      for (const at of [0, 1, 2, 3, 4, array.length >> 1, array.length - 1]) {
        for (const number of [0, 1, array[at] + 1, 0x7fc00000, 0xffffffff])
          outcome(withTensor(name, array.with(at, number)))
      }
    }
  })

  it('are refused where a number is not finite', () => {
    for (const name of ['history', 'keyValues', 'tree0.numbers']) {
      const array = saved.tensors[name].array as Float64Array
      for (const number of [Number.NaN, Number.POSITIVE_INFINITY]) {
        for (const at of [0, array.length - 1]) {
          expect([name, at, outcome(withTensor(name, array.with(at, number)))]).not.toEqual([name, at, 'loaded'])
        }
      }
    }
  })

  it('are refused with what is wrong with them', () => {
    const numbers = saved.tensors['tree1.numbers'].array as Float64Array
    const slots = saved.tensors['tree0.memories'].array as Uint32Array
    const routers = saved.tensors['tree0.routers'].array as Uint32Array
    const sizes = saved.tensors['tree0.sizes'].array as Uint32Array
    const leaf = sizes.findIndex(size => size !== 0xffffffff)
    const larger = withTensor('tree0.sizes', sizes.with(leaf, sizes[leaf] + 1))
    const twice = { ...larger, tensors: { ...larger.tensors, 'tree0.memories': tensor1d(Uint32Array.of(slots[0], ...slots)) } } // biome-ignore format: one line
    const cases: [ModelContents, string][] = [
      [withOptions({ trees: 3 }), '"nextNumbers" is not a list of 3 numbers'],
      [withOptions({ balance: 2 }), 'balance is 2, expected a number from 0 to 1'],
      [withOptions({ speed: 2 }), 'unknown option "speed"'],
      [withOptions({ capacity: 3 }), `there are ${saved.meta.memories} memories, at most 3 are allowed`],
      [withOptions({ text: { hashBits: 99 } }), 'hashBits is 99, expected a whole number from 0 to 24'],
      [withMeta({ keys: { kind: 'smell', dims: 0 } }), 'it does not say what its keys are'],
      [withMeta({ keys: { kind: 'dense', dims: 'x' } }), 'it does not say what its keys are'],
      [withMeta({ calibration: { slope: 1, intercept: 0 } }), 'its scorer is not valid'],
      [withMeta({ calibration: { slope: null, intercept: 0, rewards: 1 } }), 'its scorer is not valid'],
      [withTensor('tree0.memories', slots.with(0, slots[1])), 'the leaves of tree0 do not hold every memory once'],
      [withTensor('tree0.memories', slots.with(0, 60)), 'the leaves of tree0 do not hold every memory once'],
      [twice, 'the leaves of tree0 do not hold every memory once'],
      [withTensor('tree0.routers', routers.with(0, 7)), 'a router of tree0 is not a table'],
      [
        withTensor('tree1.numbers', numbers.with(0, numbers[1])),
        `tree 1: node ${numbers[1]} is not known by its number`,
      ],
      [withMeta({ nextNumbers: [1, 1] }), 'a node of tree0 has a number that does not exist yet'],
    ]
    for (const [contents, message] of cases) expect(outcome(contents)).toBe(message)
  })

  it('with a learner of your own need it again', () => {
    const learner = { name: 'mine', gradient: (sum: number, target: number) => sum - target }
    const memory = MemoryTree.create({ engine, clock, learner, leafFactor: 1 })
    for (const key of drawnRows(5, 20)) memory.insert(key, 1)
    const contents = memory.contents()
    const load = (given?: Learner) => () =>
      MemoryTree.fromContents(contents, { engine, clock, ...(given && { learner: given }) })
    expect(load()).toThrow("the memory: the memory was created with the custom learner 'mine', but you gave none")
    expect(load(squaredLearner)).toThrow(
      "the memory: the memory was created with the learner 'mine', but you gave 'squared'",
    )
    const again = MemoryTree.fromContents(contents, { engine, clock, learner })
    for (const key of drawnRows(6, 20)) expect(again.insert(key, 2)).toBe(memory.insert(key, 2))
    expect(bytesOf(again)).toBe(bytesOf(memory))
    memory.free()
    again.free()
  })
})
