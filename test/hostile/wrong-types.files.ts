// Every public call of model files and data files, with arguments it takes.

import { join } from 'node:path'
import * as core from './core-names.ts'
import { bytes, type Call, dataset, functions, maker, methods, Options, options } from './wrong-types.call.ts'

export function modelCalls(folder: string, contents: core.ModelContents): Call[] {
  const path = join(folder, 'ExactIndex.index')
  const file = core.encodeModel(contents)
  const [first] = file
  return functions(
    {
      ...{ encodeModel: [contents], writeModel: [join(folder, 'written'), contents, new Options({ overwrite: true })] },
      ...{ readModel: [path], decodeModel: [first, 'bytes'], inspectModel: [path] },
      ...{ packStrings: [['a', 'b']], unpackStrings: [core.packStrings(['a'])], tensor1d: [Float32Array.of(1)] },
      ...{ writeAtomically: [join(folder, 'atomic'), new Options({ overwrite: true }), async () => {}] },
      ...{ loadIndex: [path, options], loadClassifier: [join(folder, 'LcifClassifier.model'), options] },
    },
    core,
  )
}

const vocabulary = core.Vocabulary.create([{ id: 'p1', names: { en: 'ships' } }])

export function dataCalls(folder: string): Call[] {
  const jsonl = join(folder, 'x.jsonl')
  const input = () => core.openInput(bytes())
  return [
    ...functions(
      {
        ...{ openInput: [bytes(), options], readDataset: [bytes(), options], findFormat: ['csv'], formatNames: [] },
        ...{ formatsByExtension: ['a.csv'], writableFormatNames: [], detectFormat: ['a.csv', bytes()] },
        ...{
          maxUnpacked: [1, undefined],
          checkUnpacked: ['file', 1, 1, undefined],
          writeDataset: [dataset, jsonl, new Options({ overwrite: true })],
        },
        registerFormat: [{ ...core.findFormat('csv'), name: 'csv' }], // which is there already
        ...{ readVocabulary: [new TextEncoder().encode('p1\tships\n'), options], vocabularyGaps: [['p1'], vocabulary] },
        registerVocabularyFormat: [{ name: 'csv', extensions: [], recognize: () => false, read: async () => {} }], // likewise
      },
      core,
    ),
    {
      name: 'readAll',
      args: [undefined, options],
      run: async (given, more) => core.readAll((given ?? (await input())) as core.Input, more as object),
    },
    {
      name: 'readTextBatches',
      args: [bytes(), options],
      run: (...given) => (core.readTextBatches as (...all: unknown[]) => AsyncGenerator)(...given).next(),
    },
    {
      name: 'Vocabulary.create',
      args: [[{ id: 'p1', names: { en: 'ships' } }], options],
      run: (...given) => (core.Vocabulary.create as (...all: unknown[]) => unknown)(...given),
    },
    ...methods('Vocabulary', vocabulary, {
      ...{ has: ['p1'], isDeprecated: ['p1'], nameOf: ['p1', 'en'], idsOf: ['ships', 'en'] },
      ...{ in: ['en'], only: [['p1']], with: [vocabulary], concept: ['p1'] },
      ...{ named: ['p1'], currentId: ['p1'] },
    }),
    maker('RecordReader', core.RecordReader, ['file', options, 'front']),
    ...methods('RecordReader', new core.RecordReader('file', {}), {
      take: [1, () => ({ text: 'a' }), () => undefined],
      passEmptyLine: [1],
    }),
    {
      name: 'RecordReader.finish',
      args: [],
      run: () => {
        const reader = new core.RecordReader('file', {})
        reader.take(1, () => ({ text: 'a' }))
        return reader.finish()
      },
    },
  ]
}
