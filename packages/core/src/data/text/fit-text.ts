// Learning a text pipeline: one pass over the texts, because tokenizing takes most of the time. Features get numbers in the order in
// which they are met; when all are known, the chosen ones get their columns, and the keys that were kept are renamed.

import { EngineError, throwIfAborted } from '../../errors.ts'
import type { LongWork, Steps } from '../../long-work.ts'
import { checkHolder, refuse, workOptions } from '../../options.ts'
import { HashedSpace } from './hashing.ts'
import { type FeatureSpace, KeyStream } from './key-stream.ts'
import { resolveTextOptions, type TextOptions } from './text-options.ts'
import type { TextParts } from './text-state.ts'
import { GrowingTokenTable, selectFeatures, TokenTable } from './token-table.ts'
import { Tokenizer } from './tokenizer.ts'
import { DocumentFrequencies, inverseFrequency } from './weighting.ts'

const textsPerStep = 256
const millisPerReport = 50

export interface LearnedText {
  readonly parts: TextParts
  /** The keys of all texts, in the columns of `parts`; empty rows unless they were to be kept. */
  readonly stream: KeyStream
}

/** All at once; reports to `onProgress` now and then. */
export function learnText(texts: readonly string[], given: TextOptions & LongWork, keepKeys: boolean): LearnedText {
  checkHolder(given)
  const { signal, onProgress } = given
  const steps = learnTextInSteps(texts, given, keepKeys)
  let reported = Date.now()
  for (;;) {
    throwIfAborted(signal)
    const step = steps.next()
    if (step.done) return step.value
    if (!onProgress || Date.now() - reported < millisPerReport) continue
    reported = Date.now()
    onProgress({ what: 'reading words', done: step.value ?? 0, total: texts.length })
  }
}

/** Yields how many texts were read. */
export function* learnTextInSteps(
  texts: readonly string[],
  given: TextOptions & LongWork,
  keepKeys: boolean,
): Steps<LearnedText> {
  const options = resolveTextOptions(given, workOptions)
  if (!Array.isArray(texts)) refuse('texts', texts, 'a list of texts')
  if (texts.length === 0) throw new EngineError('EMPTY_DATA', 'there are no texts to learn from')
  const tokenizer = new Tokenizer(options)
  const stream = new KeyStream()
  const count: Count = space => countTexts(texts, tokenizer, space, stream, keepKeys)
  const columns = yield* options.hashBits > 0 ? learnHashed(options, count) : learnTokens(options, count, stream)
  return { parts: { options, tokenizer, ...columns }, stream }
}

/** Passes over the texts, whose features get their keys from `space`. */
type Count = (space: FeatureSpace) => Steps<DocumentFrequencies>

type Columns = Pick<TextParts, 'space' | 'idf'>

function* learnHashed({ hashBits, hashSign, idf }: Required<TextOptions>, count: Count): Steps<Columns> {
  const space = new HashedSpace(hashBits, hashSign)
  const counted = yield* count(space)
  return { space, idf: weights(counted.toArray(space.columns), counted.documents, idf) }
}

function* learnTokens(options: Required<TextOptions>, count: Count, stream: KeyStream): Steps<Columns> {
  const all = new GrowingTokenTable()
  const counted = yield* count(all)
  const { documents } = counted
  const chosen = selectFeatures(all.features, counted.toArray(all.columns), documents, options)
  if (chosen.features.length === 0) {
    throw new EngineError(
      'EMPTY_DATA',
      `none of the ${all.columns} features of ${documents} texts passes the filters`,
      {
        hint: 'Give texts with words; lower minDocuments or minLength, raise maxDocumentShare, or list fewer stopWords.',
      },
    )
  }
  stream.remap(chosen.columnOf)
  return { space: new TokenTable(chosen.features), idf: weights(chosen.frequencies, documents, options.idf) }
}

function weights(
  frequencies: Uint32Array,
  documents: number,
  kind: Required<TextOptions>['idf'],
): Float32Array | undefined {
  if (kind === 'none') return undefined
  return Float32Array.from(frequencies, frequency => inverseFrequency(frequency, documents, kind))
}

function* countTexts(
  texts: readonly string[],
  tokenizer: Tokenizer,
  space: FeatureSpace,
  stream: KeyStream,
  keepKeys: boolean,
): Steps<DocumentFrequencies> {
  const frequencies = new DocumentFrequencies()
  for (let row = 0; row < texts.length; row++) {
    if (row % textsPerStep === 0) yield row
    stream.add(texts[row], tokenizer, space)
    frequencies.add(stream.keys, stream.offsets[row], stream.offsets[row + 1])
    if (!keepKeys) stream.dropLast()
  }
  return frequencies
}
