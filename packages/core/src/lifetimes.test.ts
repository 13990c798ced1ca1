// What is promised about the memory of every index, classifier and memory: docs/lifetimes.md.

import { beforeAll, describe, expect, it } from 'vitest'
import { Engine } from './kernels/engine.ts'
import { dispose } from './kernels/owned.ts'
import { kinds } from './lifetimes.cases.ts'

const freed = expect.objectContaining({ name: 'EngineError', code: 'FREED' })

describe.each(kinds)('the memory of $name', ({ name, fit, load, contents: contentsOf, uses, answer, batch }) => {
  let engine: Engine
  beforeAll(() => {
    engine = new Engine()
  })

  it('comes back with free(), all of it', async () => {
    const before = engine.arena.usedBytes
    const object = await fit(engine, 1)
    await batch(object)
    object.free()
    expect(engine.arena.usedBytes).toBe(before)
  })

  it('is not given back twice: another object in its place keeps answering for itself', async () => {
    const object = await fit(engine, 1)
    object.free()
    const second = await fit(engine, 2)
    const [own, many] = [answer(second), await batch(second)]
    object.free()
    const third = await fit(engine, 3)
    expect(answer(second)).toEqual(own)
    expect(await batch(second)).toEqual(many)
    second.free()
    third.free()
  })

  it.each(Object.keys(uses))('is out of reach after free(): %s is refused', async use => {
    const object = await fit(engine, 1)
    object.free()
    const call = async () => uses[use]?.(object)
    await expect(call()).rejects.toEqual(freed)
    await expect(call()).rejects.toThrow(`this ${name} was freed`)
  })

  it('is left alone by whatever is tried after free()', async () => {
    const object = await fit(engine, 1)
    object.free()
    const other = engine.arena.allocate(Float32Array, 300_000)
    other.array.fill(7)
    for (const use of Object.values(uses))
      await Promise.resolve()
        .then(() => use(object))
        .catch(() => undefined)
    expect(other.array.every(value => value === 7)).toBe(true)
    other.free()
  })

  it('comes back at the end of a `using` block', async () => {
    const before = engine.arena.usedBytes
    const kept = await (async () => {
      using object = await fit(engine, 1)
      expect(answer(object)).toBeDefined()
      return object
    })()
    expect(engine.arena.usedBytes).toBe(before)
    expect(() => answer(kept)).toThrow(freed)
    expect(kept[dispose]()).toBeUndefined()
  })

  it('comes back when batches under way are done', async () => {
    const object = await fit(engine, 1)
    const expected = await batch(object)
    const pending = [batch(object), batch(object)]
    object.free()
    expect(await Promise.all(pending)).toEqual([expected, expected])
    await expect(batch(object)).rejects.toEqual(freed)
  })

  it('comes back when making the object fails', async () => {
    const before = engine.arena.usedBytes
    const object = await fit(engine, 1)
    // Contents are copies: they outlive the object.
    const contents = contentsOf(object)
    object.free()
    const { tensors } = contents
    const last = Object.keys(tensors).at(-1) as string
    const broken = { ...contents, tensors: { ...tensors, [last]: { array: new Float32Array(1), shape: [1] } } }
    expect(() => load(broken, engine)).toThrow(expect.objectContaining({ name: 'EngineError' }))
    const again = load(contents, engine)
    expect(answer(again)).toBeDefined()
    again.free()
    expect(engine.arena.usedBytes).toBe(before)
  })
})
