import { beforeAll, describe, expect, it } from 'vitest'
import { EngineError } from '../../errors.ts'
import { leafMark } from '../../kernels/generated/blocks/forest.ts'
import type { ModelContents } from '../../store/header.ts'
import type { JsonObject } from '../../store/json.ts'
import { type TensorArray, tensor1d } from '../../store/tensor.ts'
import { shelf } from '../shelf.cases.ts'
import { ForestClassifier } from './forest-classifier.ts'
import { engine, more, withForest } from './forest-model.cases.ts'

/** The message of a refusal, or 'loaded' where the contents are taken: then all must work. Memory is given back either way. */
function outcome(contents: ModelContents): string {
  try {
    const model = ForestClassifier.fromContents(contents, { engine, name: 'it' })
    model.predict('history of ships')
    model.explain('history of ships', 'shipping')
    model.partialFit(more)
    model.remove(['s1', 'the id of rome'])
    model.contents()
    model.free()
    return 'loaded'
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'MODEL_DAMAGED') throw error
    return error.message.replace('it: the model cannot be loaded: ', '')
  } finally {
    expect(engine.arena.usedBytes).toBe(0)
  }
}

describe('contents of ForestClassifier', () => {
  let contents: ModelContents
  beforeAll(async () => {
    contents = await withForest(shelf, { tailLift: 0.5, blend: 0.3, probes: 3 }, model => model.contents())
  })
  const withTensor = (contents: ModelContents, name: string, array: TensorArray): ModelContents => ({
    ...contents,
    tensors: { ...contents.tensors, [name]: tensor1d(array) },
  })

  it('are refused with what is wrong with them', () => {
    const set = (name: string, at: number, number: number) =>
      withTensor(contents, name, (contents.tensors[name].array as Uint32Array).with(at, number))
    const about = (change: JsonObject) => ({ ...contents, meta: { ...contents.meta, ...change } })
    const forest = contents.meta.forest as JsonObject
    const last = contents.tensors.memberOffsets.array.length - 1
    // Whole trees, of another kind.
    const nodes = (contents.tensors['forest.nodes'].array as Uint32Array).map((number, at) =>
      at % 3 === 0 && number !== leafMark ? 0 : number,
    )
    const axisSplits = {
      ...about({ forest: { ...forest, splits: 'axis' } }),
      tensors: {
        ...contents.tensors,
        'forest.nodes': tensor1d(nodes),
        'forest.directionOffsets': tensor1d(Uint32Array.of(0)),
        'forest.directionWords': tensor1d(new Uint32Array(0)),
      },
    }
    const cases: [ModelContents, string][] = [
      [contents, 'loaded'],
      [set('members', 0, 12), 'a leaf holds a row that does not exist'],
      [set('members', 5, 0xffffffff), 'a leaf holds a row that does not exist'],
      [set('memberOffsets', 1, 0), 'its leaves do not hold the rows that they count'],
      [set('memberOffsets', 0, 1), 'its leaves do not hold the rows that they count'],
      [set('memberOffsets', last, 0), 'its leaves do not hold the rows that they count'],
      [set('forest.rows', 0, 5), 'its leaves do not hold the rows that they count'],
      [
        withTensor(contents, 'memberOffsets', new Uint32Array(2)),
        `"memberOffsets" has 2 elements, expected ${last + 1}`,
      ],
      [axisSplits, 'its trees were grown for other rows'],
      [about({ forest: { ...forest, splits: 'diagonal' } }), 'its splits are of an unknown kind'],
      [about({ forest: { ...forest, dims: 22 } }), 'its trees were grown for other rows'],
      [about({ forest: { ...forest, labels: 5 } }), 'its trees were grown for other rows'],
      [about({ forest: { ...forest, trees: 19 } }), 'its trees are broken'],
      [set('forest.directionWords', 1, 0xffffffff), 'a direction names a dimension that does not exist'],
      [set('forest.directionWords', 0, 0), 'a direction has no scale'],
      [set('forest.nodes', 0, 0x7fffffff), 'tree 0 leads nowhere'],
      [about({ threshold: null }), '"threshold" is null, expected a number'],
      [about({ text: 5 }), 'the text pipeline cannot be loaded: it is not an object'],
      [withTensor(contents, 'labelScales', new Float32Array(5)), '5 labels have a scale, but there are 4'],
      [{ ...contents, options: { ...contents.options, blend: 2 } }, 'blend is 2, expected a number from 0 to 1'],
    ]
    for (const [damaged, message] of cases) expect(outcome(damaged)).toBe(message)
  })

  it('are refused where a part is missing, too short or too long', () => {
    // Without these a model is another one, and whole.
    const optional = ['labelScales', 'texts.ends']
    for (const [name, { array }] of Object.entries(contents.tensors)) {
      const { [name]: _, ...others } = contents.tensors
      // Every typed array can be cut, and made longer, by its own type.
      const longer = new (array.constructor as Uint32ArrayConstructor)(array.length + 1)
      longer.set(array as Uint32Array)
      const damages = [
        ...(optional.includes(name) ? [] : [{ ...contents, tensors: others }]),
        withTensor(contents, name, longer),
        ...(array.length > 0 && name !== 'labelScales' ? [withTensor(contents, name, array.slice(0, -1))] : []),
      ]
      for (const [i, damage] of damages.entries()) expect([name, i, outcome(damage)]).not.toContain('loaded')
    }
  })

  it('are refused, or harmless, where a whole number is any other', () => {
    for (const [name, { array }] of Object.entries(contents.tensors)) {
      if (!(array instanceof Uint32Array)) continue
      const places = [0, 1, 2, 3, array.length >> 1, array.length - 1].filter(at => at >= 0 && at < array.length)
      for (const at of places) {
        for (const number of [0, array[at] + 1, 0x7fffffff, 0xffffffff]) {
          outcome(withTensor(contents, name, array.with(at, number)))
        }
      }
    }
  })
})
