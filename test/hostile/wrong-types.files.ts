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
