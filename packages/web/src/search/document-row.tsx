// A document with the words that matched, its metadata (a click filters by it), and a way to others like it.

import type { DocumentHit, Id } from '../backend/answers.ts'
import { Bar } from '../parts/bar.tsx'
import { Icon } from '../parts/icon.tsx'
import { MarkedText } from '../parts/marked-text.tsx'
import { decimal } from '../parts/numbers.ts'
import { type Condition, isPlain } from './conditions.ts'

/** A document that others are to be like. */
export interface Liked {
  readonly id: Id
  /** Its text, or its id if it has none. */
  readonly title: string
}

interface DocumentRowProps {
  readonly hit: DocumentHit
  readonly best: number
  readonly isSearch: boolean
  onLike(liked: Liked): void
  onCondition(condition: Condition): void
}

export function DocumentRow({ hit, best, isSearch, onLike, onCondition }: DocumentRowProps) {
  const { id, score, distance, document, because } = hit
  const words = because?.words?.map(({ word }) => word) ?? []
  const [title, ...others] = textsOf(document)
  return (
    <li class="document" data-key={String(id)}>
      <div class="document-body">
        <p class="document-title clamp" dir="auto">
          {title ? <MarkedText text={title} words={words} /> : <span class="mono">{id}</span>}
        </p>
        {others.map(text => (
          <p key={text} class="small clamp" dir="auto">
            <MarkedText text={text} words={words} />
          </p>
        ))}
        <ul class="line document-facts">
          <li class="small soft mono">{id}</li>
          {metadataOf(document.metadata).map(({ field, value }) => (
            <li key={`${field} ${value}`}>
              <button
                type="button"
                class="chip"
                title="Only those"
                onClick={() => onCondition({ field, comparison: 'is', value })}
              >
                <span class="soft">{field}</span> <bdi>{String(value)}</bdi>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div class="document-end">
        {isSearch && (
          <div class="document-score">
            <span class="number small">
              <span class="unseen">score </span>
              {decimal(score)}
            </span>
            <Bar share={best > 0 ? score / best : 0} />
            {distance !== undefined && <span class="number small soft">distance {decimal(distance)}</span>}
          </div>
        )}
        <button
          type="button"
          class="button bare"
          onClick={() => onLike({ id, title: title ?? String(id) })}
          aria-label={`More like this: ${title ?? id}`}
        >
          <Icon name="like" /> More like this
        </button>
      </div>
    </li>
  )
}

export function textsOf({ text, fields = {} }: DocumentHit['document']): string[] {
  return [...(text === undefined ? [] : [text]), ...Object.values(fields)].filter(one => one !== '')
}

function metadataOf(metadata: DocumentHit['document']['metadata']) {
  return Object.entries(metadata ?? {})
    .flatMap(([field, value]) =>
      (Array.isArray(value) ? value : [value]).map((one: unknown) => ({ field, value: one })),
    )
    .filter((one): one is { field: string; value: string | number | boolean } => isPlain(one.value))
    .slice(0, 8)
}
