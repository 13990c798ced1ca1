// The queue: a file to begin with, then its texts with what is suggested and what was decided.

import type { Correction } from '../backend/answers.ts'
import { Card } from '../parts/card.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { Icon } from '../parts/icon.tsx'
import { count, grouped } from '../parts/numbers.ts'
import { useKeys } from '../state/use-keys.ts'
import { itemOf } from './item.ts'
import { QueueList } from './queue-list.tsx'
import { saveQueue } from './save-queue.ts'
import type { TextQueue } from './use-queue.ts'
import type { Tagging } from './use-tagging.ts'

interface QueueProps {
  readonly model: string
  readonly queue: TextQueue
  readonly tagging: Tagging
  readonly takesTexts: boolean
}

export function Queue({ model, queue, tagging, takesTexts }: QueueProps) {
  useKeys({
    '[': () => queue.table && queue.go(queue.place - 1),
    ']': () => queue.table && queue.go(queue.place + 1),
  })
  if (!queue.table) {
    return (
      <Card title={takesTexts ? 'Many texts' : 'Many vectors'}>
        <FileDrop
          name="Choose a file"
          accept=".csv,.tsv,.jsonl,.ndjson,.json,.txt"
          onFile={file => void queue.open(file)}
        >
          Drop a CSV or JSONL file here. The model suggests labels for every {takesTexts ? 'text' : 'vector'}; you go
          through them and download the result.
        </FileDrop>
      </Card>
    )
  }
  const done = correctedTexts(tagging.corrections)
  const { rows, ready, table, column } = queue
  const rejectedOf = (text: string) => {
    const item = itemOf(text, takesTexts)
    return item ? tagging.rejectedOf(item) : new Set<string>()
  }
  const save = (format: 'csv' | 'jsonl') => saveQueue(model, queue, done, rejectedOf, format)
  return (
    <Card
      title={table.name}
      aside={
        <button type="button" class="button bare" onClick={queue.close}>
          Close
        </button>
      }
    >
      <div class="stack tight">
        {ready < rows.length && (
          <div>
            <progress class="progress wide" value={ready / rows.length} aria-label="Suggesting labels" />
            <p class="small soft number">
              Suggesting: {grouped(ready)} of {grouped(rows.length)}
            </p>
          </div>
        )}
        <p class="unseen" role="status">
          {ready === rows.length && `Labels suggested for ${count(ready, takesTexts ? 'text' : 'vector')}`}
        </p>
        <div class="line apart small">
          <span class="soft number">
            {grouped(rows.filter(({ text }) => done.has(text)).length)} of {grouped(rows.length)} decided
          </span>
          {table.columns.length > 1 && (
            <label class="line">
              Text from
              <select class="field" value={column} onChange={event => queue.chooseColumn(event.currentTarget.value)}>
                {table.columns.map(name => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
          )}
        </div>
        <QueueList queue={queue} done={done} />
        <div class="line">
          <button type="button" class="button" onClick={() => save('csv')}>
            <Icon name="download" /> CSV
          </button>
          <button type="button" class="button" onClick={() => save('jsonl')}>
            <Icon name="download" /> JSONL
          </button>
          <span class="key-hint small soft wide-only">
            <kbd>[</kbd> <kbd>]</kbd> previous, next
          </span>
        </div>
      </div>
    </Card>
  )
}

/** What was decided about each text, by the text. */
function correctedTexts(corrections: readonly Correction[]): Map<string, readonly string[]> {
  return new Map(
    corrections.flatMap(({ item, labels }) => ('text' in item && labels ? [[item.text, labels] as const] : [])),
  )
}
