import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeModel } from '../store/files/model-file.ts'
import { marginMethod } from './margin/method.ts'
import { memoryMethod } from './memory/method.ts'
import { findMethod, loadClassifier, methodNames, registerMethod } from './registry.ts'
import { shelf } from './shelf.cases.ts'

const ownOptions: Record<string, Record<string, number>> = {
  gpt: { trees: 3 },
  forest: { trees: 3 },
  memory: { trees: 3 },
  margin: { gap: 2 },
}

describe('the registry of methods', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vicinal-registry-'))
  })

  afterAll(() => rm(folder, { recursive: true }))

  it('lists the methods, and takes those that are registered, but none twice', () => {
    expect(methodNames()).toEqual(['lcif', 'instance', 'feature', 'gpt', 'forest'])
    registerMethod(memoryMethod)
    registerMethod(marginMethod)
    expect(() => registerMethod(marginMethod)).toThrow('there is already a method called margin')
    expect(methodNames()).toEqual(['lcif', 'instance', 'feature', 'gpt', 'forest', 'memory', 'margin'])
  })

  it('fits by name, and loads by what the file says', async () => {
    for (const name of methodNames()) {
      const path = join(folder, name)
      const options = ownOptions[name] ?? { neighbors: 3 }
      const model = await findMethod(name).fit(shelf, options)
      await model.save(path)
      const loaded = await loadClassifier(path)
      expect(loaded.method).toBe(name)
      expect(loaded.options).toMatchObject(options)
      expect(loaded.predict('ships')).toEqual(model.predict('ships'))
      model.free()
      loaded.free()
    }
  })

  it('tells the defaults of a method', () => {
    expect(findMethod('feature').defaults).toMatchObject({ method: 'feature', neighbors: 100 })
  })

  it('refuses methods it does not know, and says which there are', async () => {
    const hint = 'Known: lcif, instance, feature, gpt, forest, memory, margin.'
    expect(() => findMethod('svm')).toThrow(expect.objectContaining({ code: 'UNKNOWN_NAME', hint }))
    const path = join(folder, 'other')
    await writeModel(path, { method: 'inverted', options: {}, meta: {}, tensors: {} })
    await expect(loadClassifier(path)).rejects.toMatchObject({
      code: 'UNKNOWN_NAME',
      message: `${path}: holds an InvertedIndex, not a classifier`,
      hint: 'Load it with `InvertedIndex.load()` or `loadIndex()`.',
    })
  })
})
