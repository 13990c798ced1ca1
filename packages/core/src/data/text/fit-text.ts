// Learning a text pipeline: one pass over the texts, as tokenizing is the cost. Features get numbers in the order in
// which they are met; when all are known, the chosen ones get their columns, and the keys that were kept are renamed.

import { EngineError, throwIfAborted } from '../../errors.ts'
import { workOptions } from '../../options.ts'
import type { LongWork } from '../../progress.ts'
import { HashedSpace } from './hashing.ts'
import { type FeatureSpace, KeyStream } from './key-stream.ts'
import { resolveTextOptions, type TextOptions } from './text-options.ts'
import type { TextParts } from './text-state.ts'
import { Tokenizer } from './tokenizer.ts'
import { GrowingVocabulary, selectFeatures, Vocabulary } from './vocabulary.ts'
import { DocumentFrequencies, inverseFrequency } from './weighting.ts'

const textsPerReport = 256
const millisPerReport = 50

export interface LearnedText {
  readonly parts: TextParts
  /** The keys of all texts, in the columns of `parts`; empty rows unless they were to be kept. */
  readonly stream: KeyStream
}

export function learnText(texts: readonly string[], given: TextOptions & LongWork, keepKeys: boolean): LearnedText {
  const options = resolveTextOptions(given, workOptions)
  const { signal, onProgress } = given
  if (texts.length === 0) throw new EngineError('EMPTY_DATA', 'there are no texts to learn from')
  const tokenizer = new Tokenizer(options)
  const stream = new KeyStream()
  const count: Count = space => countTexts(texts, tokenizer, space, stream, { signal, onProgress }, keepKeys)
  const columns = options.hashBits > 0 ? learnHashed(options, count) : learnVocabulary(options, count, stream)
  return { parts: { options, tokenizer, ...columns }, stream }
}

/** Passes over the texts, whose features get their keys from `space`. */
type Count = (space: FeatureSpace) => DocumentFrequencies

type Columns = Pick<TextParts, 'space' | 'idf'>

function learnHashed({ hashBits, hashSign, idf }: Required<TextOptions>, count: Count): Columns {
  const space = new HashedSpace(hashBits, hashSign)
  const counted = count(space)
  return { space, idf: weights(counted.toArray(space.columns), counted.documents, idf) }
}

function learnVocabulary(options: Required<TextOptions>, count: Count, stream: KeyStream): Columns {
  const all = new GrowingVocabulary()
  const counted = count(all)
  const { documents } = counted
  const chosen = selectFeatures(all.features, counted.toArray(all.columns), documents, options)
  if (chosen.features.length === 0) {
    throw new EngineError('EMPTY_DATA', `none of the ${all.columns} features of ${documents} texts can be a column`, {
      hint: 'Give texts with words; lower minDocuments or minLength, raise maxDocumentShare, or list fewer stopWords.',
    })
  }
  stream.remap(chosen.columnOf)
  return { space: new Vocabulary(chosen.features), idf: weights(chosen.frequencies, documents, options.idf) }
}

function weights(
  frequencies: Uint32Array,
  documents: number,
  kind: Required<TextOptions>['idf'],
): Float32Array | undefined {
  if (kind === 'none') return undefined
  return Float32Array.from(frequencies, frequency => inverseFrequency(frequency, documents, kind))
}

function countTexts(
  texts: readonly string[],
  tokenizer: Tokenizer,
  space: FeatureSpace,
  stream: KeyStream,
  { signal, onProgress }: LongWork,
  keepKeys: boolean,
): DocumentFrequencies {
  const frequencies = new DocumentFrequencies()
  let reported = Date.now()
  for (let row = 0; row < texts.length; row++) {
    if (row % textsPerReport === 0) {
      throwIfAborted(signal)
      if (onProgress && Date.now() - reported >= millisPerReport) {
        reported = Date.now()
        onProgress({ what: 'reading words', done: row, total: texts.length })
      }
    }
    stream.add(texts[row], tokenizer, space)
    frequencies.add(stream.keys, stream.offsets[row], stream.offsets[row + 1])
    if (!keepKeys) stream.dropLast()
  }
  return frequencies
}
