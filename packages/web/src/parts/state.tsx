// What a part of the page shows when it has nothing to show: it is empty, it waits, or something failed.

import type { ComponentChildren } from 'preact'
import type { Problem } from '../backend/backend.ts'
import { sentence } from '../state/session.ts'
import { Icon, type IconName } from './icon.tsx'

interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
  /** Fills the room. */
  readonly whole?: boolean
}

export function Empty({ icon, title, children, whole }: EmptyProps) {
  return (
    <div class={whole ? 'state whole' : 'state'}>
      <span class="mark">
        <Icon name={icon} size={36} />
      </span>
      {whole ? <h1>{title}</h1> : <strong>{title}</strong>}
      {children}
    </div>
  )
}

/** Gray rows where an answer will be. */
export function Waiting({ rows = 4 }: { rows?: number }) {
  return (
    <div class="ghosts" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
    </div>
  )
}

/** What went wrong with one answer. That the service is gone, or wants a token, is said once, by the whole page. */
export function ProblemNote({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) {
  if (problem.code === 'OFFLINE' || problem.status === 401) return null
  return (
    <div class="note bad" role="alert">
      <Icon name="alert" />
      <span>
        {sentence(problem.message)} {problem.hint}
      </span>
      {onRetry && (
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}
