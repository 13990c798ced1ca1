// The texts of the queue around the current one. Long files are shown in part: nobody scrolls through 10,000 rows.

import { useEffect, useRef } from 'preact/hooks'
import { nameOf } from '../backend/answers.ts'
import { Icon } from '../parts/icon.tsx'
import { grouped } from '../parts/numbers.ts'
import type { QueueRow, TextQueue } from './use-queue.ts'

const shown = 50

export function QueueList({ queue, done }: { queue: TextQueue; done: ReadonlyMap<string, readonly string[]> }) {
  const { rows, place } = queue
  const from = Math.max(0, Math.min(place - shown / 2, rows.length - shown))
  const part = rows.slice(from, from + shown)
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (row && list.current) list.current.scrollTop = row.offsetTop - list.current.clientHeight / 3
  }, [place])
  return (
    <>
      <ol ref={list} class="queue" start={from + 1} aria-label="Texts">
        {part.map((row, i) => (
          <li key={from + i}>
            <button type="button" aria-current={from + i === place || undefined} onClick={() => queue.go(from + i)}>
              <span class={done.has(row.text) ? 'queue-mark is-done' : 'queue-mark'}>
                {done.has(row.text) ? <Icon name="check" size={14} /> : <span class="number">{from + i + 1}</span>}
              </span>
              <span class="queue-text" dir="auto">
                {row.text || <em>empty</em>}
              </span>
              <RowLabels row={row} decided={done.get(row.text)} />
            </button>
          </li>
        ))}
      </ol>
      {rows.length > shown && (
        <p class="small soft number">
          Rows {grouped(from + 1)} to {grouped(from + part.length)} of {grouped(rows.length)}
        </p>
      )}
    </>
  )
}

function RowLabels({ row: { labels }, decided }: { row: QueueRow; decided: readonly string[] | undefined }) {
  const first = labels?.slice(0, 3).map(nameOf).join(' · ')
  return <span class="queue-labels small soft">{decided ? `${decided.length} decided` : (first ?? '…')}</span>
}
