// A memory that was found: what it says, how much it is expected to help, and how it did so far.

import type { MemoryHit } from '../backend/answers.ts'
import { Bar } from '../parts/bar.tsx'
import { Icon } from '../parts/icon.tsx'
import { count, decimal, percent } from '../parts/numbers.ts'
import { shown } from './shown.ts'

export function HitRow({ hit, onReward }: { hit: MemoryHit; onReward: (amount: number) => void }) {
  const { id, value, text, score, reward, rewards, namespace } = hit
  const title = shown(value) || text || String(id)
  return (
    <li class="hit" data-key={String(id)} tabIndex={-1}>
      <div class="hit-body">
        <p class="document-title clamp" dir="auto">
          {title}
        </p>
        {text !== undefined && text !== title && (
          <p class="small soft clamp" dir="auto">
            {text}
          </p>
        )}
        <p class="small soft number">
          {namespace !== undefined && (
            <>
              <bdi>{namespace}</bdi> ·{' '}
            </>
          )}
          {rewards > 0 ? `${percent(reward ?? 0)} of ${count(rewards, 'reward')}` : 'no rewards yet'}
        </p>
      </div>
      <div class="hit-score">
        <span class="number">
          <span class="unseen">expected reward </span>
          {decimal(score)}
        </span>
        <Bar share={score} />
      </div>
      <div class="hit-verdicts">
        <button
          type="button"
          class="button square"
          aria-label={`It helped: ${title}`}
          title="It helped (a)"
          onClick={() => onReward(1)}
        >
          <Icon name="up" />
        </button>
        <button
          type="button"
          class="button square"
          aria-label={`It did not help: ${title}`}
          title="It did not help (r)"
          onClick={() => onReward(0)}
        >
          <Icon name="down" />
        </button>
      </div>
    </li>
  )
}
