// Text → sparse rows, the same when learning and when answering: tokenize, give columns, weigh.
// A pipeline never changes once made. Everything that shapes an answer is in its state, so a pipeline that was stored
// and loaded gives the same rows, bit by bit.

import { EngineError } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import { finish, inTurns, type Steps } from '../../long-work.ts'
import type { SparseMatrix, SparseRow } from '../../matrix/sparse-matrix.ts'
import { checkHolder, checkText, checkTexts, checkWhole, refuse } from '../../options.ts'
import { learnText, learnTextInSteps } from './fit-text.ts'
import { HashedSpace } from './hashing.ts'
import { KeyStream } from './key-stream.ts'
import { resolveTextOptions, type TextOptions } from './text-options.ts'
import { readTextState, type TextParts, type TextState, writeTextState } from './text-state.ts'
import { TokenTable } from './token-table.ts'
import { Tokenizer } from './tokenizer.ts'
import { weighRows } from './weighting.ts'

const defaultHashBits = 20

/** A pipeline, and the features of the texts it was fitted on. */
export interface FittedText {
  readonly pipeline: TextPipeline
  /** Row i is `pipeline.transform(texts[i])`. */
  readonly features: SparseMatrix
}

/** Turns texts into sparse rows: tokens, n-grams, stems, weights. Fitted once on a corpus, the same for every text. */
export class TextPipeline {
  readonly #parts: TextParts

  private constructor(parts: TextParts) {
    this.#parts = parts
  }

  /** Learns columns and weights from `texts`. */
  static fit(texts: readonly string[], options: TextOptions & LongWork = {}): TextPipeline {
    return new TextPipeline(learnText(texts, options, false).parts)
  }

  /** Like `fit`, and returns the rows of `texts` too: one pass instead of two. */
  static fitTransform(texts: readonly string[], options: TextOptions & LongWork = {}): FittedText {
    const { parts, stream } = learnText(texts, options, true)
    const pipeline = new TextPipeline(parts)
    return { pipeline, features: finish(pipeline.#weigh(stream)) }
  }

  /** Like fitTransform, but yields to the event loop: pages stay responsive, and a signal can stop it. */
  static async fitInTurns(texts: readonly string[], options: TextOptions & LongWork = {}): Promise<FittedText> {
    checkHolder(options)
    if (!Array.isArray(texts)) refuse('texts', texts, 'a list of texts')
    function* steps(): Steps<FittedText> {
      const { parts, stream } = yield* learnTextInSteps(texts, options, true)
      const pipeline = new TextPipeline(parts)
      return { pipeline, features: yield* pipeline.#weigh(stream) }
    }
    return inTurns(steps(), options, { what: 'reading words', total: texts.length })
  }

  /** A pipeline that needs no fitting: columns are hashes of `hashBits` (default 20) bits, and `idf` is 'none'. */
  static hashing(options: TextOptions = {}): TextPipeline {
    // Checked first: a spread would take anything for options.
    resolveTextOptions(options)
    const { hashBits: bits = defaultHashBits, idf: weight = 'none' } = options
    const resolved = resolveTextOptions({ ...options, hashBits: bits, idf: weight })
    const { hashBits, hashSign, idf } = resolved
    if (hashBits === 0 || idf !== 'none') {
      const given = hashBits === 0 ? 'hashBits is 0, expected 1 to 24' : `idf is '${idf}', expected 'none'`
      throw new EngineError('INVALID_OPTION', `${given}: a token table and idf are learned from texts`, {
        hint: 'Use TextPipeline.fit, which takes hashBits too.',
      })
    }
    return new TextPipeline({
      options: resolved,
      tokenizer: new Tokenizer(resolved),
      space: new HashedSpace(hashBits, hashSign),
      idf: undefined,
    })
  }

  /** Restores a pipeline from its `state()`. */
  static fromState(state: unknown): TextPipeline {
    return new TextPipeline(readTextState(state))
  }

  /** All options, defaults included. */
  get options(): Required<TextOptions> {
    return this.#parts.options
  }

  /** Number of columns of its rows. */
  get columns(): number {
    return this.#parts.space.columns
  }

  /** The row of one text. Unknown features are ignored. */
  transform(text: string): SparseRow {
    checkText('text', text)
    return this.transformBatch([text]).row(0)
  }

  /** One row per text. */
  transformBatch(texts: readonly string[]): SparseMatrix {
    checkTexts('texts', texts)
    const { tokenizer, space } = this.#parts
    const stream = new KeyStream()
    for (const text of texts) stream.add(text, tokenizer, space)
    return finish(this.#weigh(stream))
  }

  /** The feature of a column; undefined if columns are hashes or the column does not exist. */
  featureName(column: number): string | undefined {
    checkWhole('column', column, 0, 2 ** 32)
    return this.featureNames()?.[column]
  }

  /** The features in the order of their columns; undefined if columns are hashes. Not to be changed. */
  featureNames(): readonly string[] | undefined {
    const { space } = this.#parts
    return space instanceof TokenTable ? space.features : undefined
  }

  /** Everything that affects its output, ready for JSON. */
  state(): TextState {
    return writeTextState(this.#parts)
  }

  #weigh(stream: KeyStream): Steps<SparseMatrix> {
    return weighRows(stream, this.columns, this.#parts.idf, this.options)
  }
}
