// A LangChain retriever over a memory. You can reward what it retrieves, and the memory learns from that.

import { Document } from '@langchain/core/documents'
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers'
import { EngineError, type Json } from '@vicinal/core'
import { checkedLater, checkOptions, optionTable } from '@vicinal/core/internals'
import type { Hit, MemoryKey, MemoryQueryOptions, Rewarded } from '@vicinal/core/memory'

/** A `MemoryTree` or a `MemoryStore`. */
export interface MemorySource {
  query(key: MemoryKey, options?: MemoryQueryOptions): Hit[]
  update(hit: Rewarded, reward: number): void | Promise<void>
}

/** Options of `MemoryRetriever`: those of a query, and LangChain's own. */
export interface MemoryRetrieverFields extends BaseRetrieverInput, MemoryQueryOptions {
  readonly memory: MemorySource
}

/** Their values are checked by each query. */
const queryOptions = optionTable<MemoryQueryOptions>({
  ...{ k: checkedLater, explore: checkedLater, probes: checkedLater },
  ...{ minScore: checkedLater, namespace: checkedLater, filter: checkedLater },
})

export class MemoryRetriever extends BaseRetriever {
  static override lc_name(): string {
    return 'MemoryRetriever'
  }

  override lc_namespace: string[] = ['vicinal', 'retrievers']
  readonly #memory: MemorySource
  readonly #options: MemoryQueryOptions

  constructor({ memory, callbacks, tags, metadata, verbose, ...options }: MemoryRetrieverFields) {
    super({
      ...(callbacks !== undefined && { callbacks }),
      ...(tags !== undefined && { tags }),
      ...(metadata !== undefined && { metadata }),
      ...(verbose !== undefined && { verbose }),
    })
    checkOptions(options, queryOptions)
    this.#memory = memory
    this.#options = options
  }

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    return this.#memory.query(query, this.#options).map(documentOf)
  }

  /** Says how much a retrieved document helped, from 0 to 1. Later retrievals learn from it. */
  async reward(document: Document, reward: number): Promise<void> {
    const hit = document.metadata.hit as Rewarded | undefined
    if (hit?.query === undefined) {
      throw new EngineError('INVALID_OPTION', 'reward() needs a document that this retriever returned', {
        hint: 'Keep document.metadata.hit when you copy a document.',
      })
    }
    await this.#memory.update(hit, reward)
  }
}

/** The text of the memory, or its value if that is a text; everything else is metadata. `hit` is what `reward` needs. */
function documentOf({ id, text, value, score, reward, rewards, metadata, query }: Hit): Document {
  return new Document({
    id: String(id),
    pageContent: text ?? contentOf(value),
    metadata: { ...metadata, value, score, reward, rewards, hit: { id, query } },
  })
}

function contentOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
