// The public surface of reading and writing data files: a separate entry point, loaded on demand.

export type { Source } from './data/bytes/byte-source.ts'
export type { Format, Input, Output, ReadOptions } from './data/format.ts'
export { formatNames, registerFormat, writableFormatNames } from './data/formats.ts'
export { readDataset } from './data/read-dataset.ts'
export { readTextBatches, type TextBatch, type TextBatchOptions } from './data/text-batches.ts'
export { type ReadVocabularyOptions, readVocabulary } from './data/vocabulary/read-vocabulary.ts'
export {
  registerVocabularyFormat,
  type VocabularyFormat,
  type VocabularyReading,
  type VocabularyTarget,
} from './data/vocabulary/vocabulary-format.ts'
export { type WriteOptions, writeDataset } from './data/write-dataset.ts'
