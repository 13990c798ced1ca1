// Changes of models that once led a kernel astray, hung a call or gave an answer that is no number: each is refused when loaded.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeModel, encodeModel, type ModelContents, tensor1d } from '@vicinal/core/internals'
import { Random } from 'vicinal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeHeader } from './change-header.ts'
import { type SampleModel, sampleModels } from './sample-models.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
})
afterAll(() => rm(folder, { recursive: true }))

function sampleOf(name: string): SampleModel {
  const found = sampleModels.find(sample => sample.name === name)
  if (!found) throw new Error(`no sample is called ${name}`)
  return found
}

/** Saves the sample, changes the file, seals it again and loads it. */
async function loadChanged(name: string, change: (contents: ModelContents) => ModelContents): Promise<object> {
  const [sample, path] = [sampleOf(name), join(folder, `${name}-${crypto.randomUUID()}`)]
  await sample.save(path)
  const contents = decodeModel(new Uint8Array(await readFile(path)), name)
  await writeFile(path, Buffer.concat(encodeModel(change(contents))))
  return sample.load(path)
}

/** With one number of a tensor changed. */
function withNumber(tensor: string, at: number, value: number) {
  return (contents: ModelContents): ModelContents => {
    const array = contents.tensors[tensor]?.array.slice() ?? new Float32Array(0)
    expect(array.length).toBeGreaterThan(at)
    array[at < 0 ? array.length + at : at] = value
    return { ...contents, tensors: { ...contents.tensors, [tensor]: tensor1d(array) } }
  }
}

/** With one field of the description changed. */
function withMeta(changes: ModelContents['meta']) {
  return (contents: ModelContents): ModelContents => ({ ...contents, meta: { ...contents.meta, ...changes } })
}

/** The places of `listRows` where two rows of one list follow each other. */
function swapped(contents: ModelContents): ModelContents {
  const offsets = contents.tensors.listOffsets?.array ?? []
  const rows = contents.tensors.listRows?.array.slice() ?? new Uint32Array(0)
  const list = [...offsets].findIndex((from, i) => Number(offsets[i + 1]) - from > 1)
  const at = Number(offsets[list])
  rows.set([Number(rows[at + 1]), Number(rows[at])], at)
  return { ...contents, tensors: { ...contents.tensors, listRows: tensor1d(rows) } }
}

const faults: [symptom: string, model: string, change: (contents: ModelContents) => ModelContents, message: string][] =
  [
    ['columns that go on after the last row trapped a search', 'inverted', withNumber('columns', 63, 255), 'last row'],
    ['lists out of order wrote before their array', 'inverted', swapped, 'out of order'],
    ['a value below 0 wrote before the counts', 'inverted', withNumber('listValues', 0, -1), 'negative or not finite'],
    ['the next vector had a key that was taken', 'collection', withMeta({ nextKey: 51 }), 'nextKey'],
    ['a row that was removed was found', 'inverted-dot', withNumber('idKinds', 7, 0), 'removed'],
    ['rows too long had infinite distances', 'exact', withNumber('rows', 3, 3e38), 'lengths'],
    ['rows of another length had infinite cosines', 'exact-cosine', withNumber('rows', 3, 9), 'lengths'],
    ['axes too long made no sketch', 'forest', withNumber('sketchAxes', 0, 1e20), 'axes'],
    ['a level far up hung the next insertion', 'net', withNumber('netLevels', 0, 2 ** 31 - 1), 'level'],
    ['a child above its parent hung the next insertion', 'net', withNumber('netLevels', 1, 50), 'level'],
    ['a value that is no number was saved', 'net-sparse', withNumber('values', 0, Number.NaN), 'NaN'],
    ['weights below 0 failed at the first item', 'lcif', withNumber('weights', 0, -1), 'negative or not finite'],
    [
      'sums without end had infinite scores',
      'feature',
      withNumber('pairSums', 0, Number.POSITIVE_INFINITY),
      'negative or not finite',
    ],
    ['a power below 0 failed at the first item', 'instance', withMeta({ neighborPower: -1 }), 'neighborPower'],
    ['a gap below 0 scored nothing', 'margin', withMeta({ report: { gap: -1, distance: 'angle' } }), 'report'],
    ['rows without an id were counted still', 'gpt-dense', withNumber('idKinds', 3, 0), 'have no id'],
    [
      'keys of another kind failed at the first item',
      'memory-labels',
      contents => {
        const { options = {}, meta = {} } = contents.meta.memory as unknown as ModelContents // as it is stored
        return withMeta({ memory: { options, meta: { ...meta, keys: { kind: 'dense', dims: 2 } } } })(contents)
      },
      'keys of its memory',
    ],
    [
      'scores that are all 0 voted with no number',
      'memory',
      withMeta({ calibration: { slope: 6, intercept: -1e300, rewards: 0 } }),
      'scorer',
    ],
    ['strings that end before they begin were texts', 'lcif', withNumber('labelNames.ends', 0, 3.5), 'ends at'],
  ]

describe('a model that was changed and sealed again is refused', () => {
  it.each(faults)('%s (%s)', async (_, name, change, message) => {
    await expect(loadChanged(name, change)).rejects.toMatchObject({
      code: 'MODEL_DAMAGED',
      message: expect.stringContaining(message),
    })
  })

  it.each(['an entry twice', 'empty tensors twice'])('of %s only the last was seen', async what => {
    const path = join(folder, what)
    await sampleOf('exact').save(path)
    const bytes = new Uint8Array(await readFile(path))
    const edit = (text: string) =>
      what === 'an entry twice'
        ? text.replace(/,"rows":\{[^}]*\}/, entry => entry + entry)
        : `${text.slice(0, -1)}${',"z":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}'.repeat(2)}}`
    await writeFile(path, changeHeader(bytes, new Random(1), [edit]).bytes)
    await expect(sampleOf('exact').load(path)).rejects.toMatchObject({
      code: 'MODEL_DAMAGED',
      message: expect.stringContaining('rewritten'),
    })
  })
})
