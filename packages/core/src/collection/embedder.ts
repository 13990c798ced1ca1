// Embeds texts with the caller's function: in batches, with retries, and checks the vectors.

import { EngineError, shown, throwIfAborted } from '../errors.ts'
import type { DenseVector } from '../matrix/given-vector.ts'
import { isNumberList } from '../matrix/given-vector.ts'
import type { WebSignal } from '../web-types.ts'

/** Turns texts into vectors, one per text, in the same order. */
export type Embed = (texts: readonly string[], signal?: WebSignal) => Promise<readonly DenseVector[]>

export interface EmbedSettings {
  /** Texts per call. */
  readonly embedBatch: number
  /** How often to retry a failed call. */
  readonly embedRetries: number
}

/** A text to embed, and what messages call it. */
export interface NamedText {
  readonly text: string
  readonly name: string
}

/** Waits before the next retry: twice as long each time. */
const firstWaitMillis = 200

export class Embedder {
  readonly #embed: Embed
  readonly #settings: EmbedSettings

  constructor(embed: Embed, settings: EmbedSettings) {
    this.#embed = embed
    this.#settings = settings
  }

  /** Texts per call. */
  get batch(): number {
    return this.#settings.embedBatch
  }

  /** `name` is what messages call the text. */
  async one(text: string, name: string, signal?: WebSignal): Promise<DenseVector> {
    const [vector] = await this.many([{ text, name }], signal)
    return vector as DenseVector // one text, one vector: checked
  }

  async many(texts: readonly NamedText[], signal?: WebSignal): Promise<DenseVector[]> {
    const vectors: DenseVector[] = []
    for (let from = 0; from < texts.length; from += this.batch) {
      vectors.push(...(await this.#call(texts.slice(from, from + this.batch), signal)))
    }
    return vectors
  }

  async #call(named: readonly NamedText[], signal: WebSignal | undefined): Promise<readonly DenseVector[]> {
    const texts = named.map(({ text }) => text)
    for (let attempt = 0; ; attempt++) {
      throwIfAborted(signal)
      try {
        return checked(await untilStopped(this.#embed(texts, signal), signal), named)
      } catch (cause) {
        throwIfAborted(signal)
        if (cause instanceof EngineError) throw cause
        if (attempt >= this.#settings.embedRetries) throw failed(named, attempt + 1, cause)
        await wait(firstWaitMillis * 2 ** attempt, signal)
      }
    }
  }
}

/** Also stops if the caller's function does not heed the signal. */
async function untilStopped<T>(work: Promise<T>, signal: WebSignal | undefined): Promise<T> {
  if (!signal) return work
  let stop = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
  })
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    return await Promise.race([work, stopped])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** A retry would not help here. */
function checked(vectors: unknown, texts: readonly NamedText[]): readonly DenseVector[] {
  if (!Array.isArray(vectors)) throw wrong(`your embed returned ${shown(vectors)}, expected a list of vectors`)
  if (vectors.length !== texts.length) {
    throw wrong(`your embed returned ${vectors.length} vectors for ${texts.length} texts: ${namesOf(texts)}`)
  }
  const other = vectors.findIndex(vector => !isNumberList(vector))
  if (other >= 0)
    throw wrong(`your embed returned ${shown(vectors[other])} for ${texts[other].name}, expected a vector`)
  return vectors
}

function wrong(message: string): EngineError {
  return new EngineError('BAD_DATA', message, { hint: 'Return one array of numbers for each text, in the same order.' })
}

function failed(texts: readonly NamedText[], attempts: number, cause: unknown): EngineError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const times = attempts === 1 ? 'once' : `${attempts} times`
  return new EngineError('CALLBACK_FAILED', `your embed failed ${times} for ${namesOf(texts)}: ${reason}`, {
    hint: 'The error of your function is the cause. None of them was stored: try again, or give the vector yourself.',
    cause,
  })
}

function namesOf([first, ...others]: readonly NamedText[]): string {
  return others.length === 0 ? first.name : `${first.name} and ${others.length} more`
}

function wait(millis: number, signal: WebSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, millis)
    signal?.addEventListener('abort', done)
  })
}
