// Makes a hostile model of a real one: some of its numbers, its arrays or its descriptions are changed, and the file is sealed
// again, so that its checksum is right and only what the model says is wrong.

import type { ModelContents, Tensor, TensorArray } from '@vicinal/core/internals'
import { Random } from 'vicinal'
import { pick } from './pick.ts'

interface Changed {
  method: string
  options: Record<string, unknown>
  meta: Record<string, unknown>
  tensors: Record<string, Tensor>
}

const wholes = [
  ...[0, 1, 2, 3, 7, 15, 63, 64, 255, 65535, 65536, 1e6, 2 ** 24, 2 ** 30],
  ...[2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32 - 2],
]
const reals = [0, -0, 1, -1, NaN, Infinity, -Infinity, 3.4e38, -3.4e38, 1e-45, 1e20, -1e20, 2 ** 31, 2 ** 53, 0.5]
const jsons = [
  ...[0, -1, 1, 2, 3, 1.5, 64, 65, 1000, 1e6, 2 ** 31, 2 ** 32, 2 ** 53, 1e300, -1e300, 1e-300, -0.5],
  ...[null, 'x', '', true, false, [], {}, '__proto__', 'constructor', [1, 2, 3], [[]], { a: 1 }, [null]],
]
const arrayTypes = [Float32Array, Uint32Array, Uint8Array, Float64Array, Int32Array]

/** A copy whose parts can be changed. */
function loose({ method, options, meta, tensors }: ModelContents): Changed {
  const copies = Object.entries(tensors).map(([name, { array }]) => {
    return [name, { array: array.slice(), shape: [array.length] }] as const
  })
  return {
    ...{ method, options: structuredClone(options), meta: structuredClone(meta) },
    tensors: Object.fromEntries(copies),
  }
}

/** A model with one to four changes, and what they are. The same seed gives the same changes. */
export function changeModel(contents: ModelContents, seed: number): { contents: ModelContents; changes: string[] } {
  const random = new Random(seed)
  const model = loose(contents)
  const times = random.below(10) < 6 ? 1 : 1 + random.below(4)
  const changes: string[] = []
  for (let i = 0; i < times; i++) {
    const kind = random.below(10)
    const tensors = Object.entries(model.tensors)
    if (tensors.length === 0) break
    const [name, { array }] = pick(tensors, random)
    if (kind < 6) changes.push(changeNumbers(name, array, random))
    else if (kind === 6) changes.push(changeArray(name, array, model.tensors, random))
    else changes.push(changeDescription(model, random))
  }
  return { contents: model as unknown as ModelContents, changes } // it may hold anything: that is the point
}

function extreme(array: TensorArray, random: Random): number {
  const isFloat = array instanceof Float32Array || array instanceof Float64Array
  if (isFloat && random.below(10) < 6) return pick(reals, random)
  return random.below(10) < 7 ? pick(wholes, random) : random.below(array.length + 5)
}

function changeNumbers(name: string, array: TensorArray, random: Random): string {
  if (array.length === 0) return `${name} is empty`
  const at = () => random.below(array.length)
  const kind = random.below(9)
  if (kind < 4) {
    const [value, all] = [extreme(array, random), random.below(5) === 0]
    if (all) array.fill(value)
    else for (let i = random.below(3); i >= 0; i--) array[at()] = value
    return `${name}: ${all ? 'all' : 'some'} = ${value}`
  }
  if (kind < 6) {
    const [place, step] = [at(), pick([1, -1, 2, -2, 16], random)]
    array[place] = Number(array[place]) + step
    return `${name}[${place}] += ${step}`
  }
  if (kind === 6) {
    const [a, b] = [at(), at()]
    const [valueOfA, valueOfB] = [Number(array[a]), Number(array[b])]
    array[a] = valueOfB
    array[b] = valueOfA
    return `${name}: ${a} and ${b} swapped`
  }
  if (kind === 7) {
    const [a, b] = [at(), at()]
    array[a] = Number(array[b])
    return `${name}: ${b} copied to ${a}`
  }
  if (random.below(2) === 0) array.reverse()
  else random.shuffle(array)
  return `${name} shuffled or reversed`
}

function changeArray(name: string, array: TensorArray, tensors: Record<string, Tensor>, random: Random): string {
  const kind = random.below(5)
  if (kind === 0) {
    delete tensors[name]
    return `${name} dropped`
  }
  if (kind === 1) {
    const Type = pick(arrayTypes, random)
    tensors[name] = { array: Type.from(array), shape: [array.length] }
    return `${name} as ${Type.name}`
  }
  if (kind === 2) {
    const [other, tensor] = pick(Object.entries(tensors), random)
    tensors[name] = tensor
    return `${name} replaced by ${other}`
  }
  const length = pick(
    [0, 1, array.length - 1, array.length + 1, 2 * array.length, random.below(array.length + 3)],
    random,
  )
  const resized = new (array.constructor as Uint8ArrayConstructor)(Math.max(0, length))
  resized.set(array.subarray(0, resized.length))
  tensors[name] = { array: resized, shape: [resized.length] }
  return `${name} has length ${resized.length}, had ${array.length}`
}

/** Every place of a JSON value that can be changed. */
function placesOf(
  value: unknown,
  places: [Record<string, unknown>, string][] = [],
): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return places
  for (const key of Object.keys(value)) {
    const holder = value as Record<string, unknown> // an object, or an array, which has keys too
    places.push([holder, key])
    placesOf(holder[key], places)
  }
  return places
}

function changeDescription(model: Changed, random: Random): string {
  const [holder, key] = pick(placesOf({ options: model.options, meta: model.meta }), random)
  if (holder[key] === model.options || holder[key] === model.meta) return 'nothing'
  const was = holder[key]
  const kind = random.below(4)
  if (kind === 0 && !Array.isArray(holder)) delete holder[key]
  else if (kind === 1 && typeof was === 'number') holder[key] = pick([was + 1, was - 1, 2 * was, -was, was / 2], random)
  else holder[key] = structuredClone(pick(jsons, random))
  return `${key}: ${JSON.stringify(was)?.slice(0, 40)} -> ${JSON.stringify(holder[key])}`
}
