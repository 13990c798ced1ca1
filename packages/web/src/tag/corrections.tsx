// What people have taught the model: each can be undone, and all can be downloaded.

import type { Correction } from '../backend/answers.ts'
import { nameOf } from '../backend/answers.ts'
import { download } from '../files/download.ts'
import { Card } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'
import { ago, count, grouped } from '../parts/numbers.ts'
import { toast } from '../state/session.ts'
import { useLabelNames } from './use-label-names.ts'
import type { Tagging } from './use-tagging.ts'

const shown = 20

export function Corrections({ model, tagging }: { model: string; tagging: Tagging }) {
  const { corrections } = tagging
  if (corrections.length === 0) return null
  const newest = corrections.slice(-shown).reverse()
  return (
    <Card
      title="Corrections"
      aside={
        <button type="button" class="button bare" onClick={() => exportAll(model, corrections)}>
          <Icon name="download" /> Export
        </button>
      }
    >
      <ul class="corrections" aria-label="Corrections, newest first">
        {newest.map(one => (
          <CorrectionRow key={one.id} model={model} correction={one} onUndo={() => void tagging.undo(one)} />
        ))}
      </ul>
      {corrections.length > shown && (
        <p class="small soft">
          The newest {shown} of {grouped(corrections.length)}. The export has the others too.
        </p>
      )}
    </Card>
  )
}

interface RowProps {
  readonly model: string
  readonly correction: Correction
  onUndo(): void
}

const none: readonly string[] = []

function CorrectionRow({ model, correction: { item, labels, rejected, at, refused }, onUndo }: RowProps) {
  const text = 'text' in item ? item.text : `[${item.vector.slice(0, 4).join(', ')} …]`
  const right = useLabelNames(model, labels ?? none).map(nameOf)
  const wrong = useLabelNames(model, rejected ?? none).map(nameOf)
  const said = [
    ...(labels ? [right.join(', ') || 'no label fits'] : []),
    ...(wrong.length > 0 ? [`not ${wrong.join(', ')}`] : []),
  ]
  return (
    <li>
      <div>
        <p class="correction-text" dir="auto">
          {text}
        </p>
        <p class="small soft">
          <bdi>{said.join(' · ')}</bdi> · {ago(at)}
        </p>
        {refused && <p class="small bad-text">Not learned: {refused}</p>}
      </div>
      <button type="button" class="button bare" onClick={onUndo} aria-label={`Undo the correction of ${text}`}>
        <Icon name="undo" /> Undo
      </button>
    </li>
  )
}

/** As a data file that `vicinal train` reads. */
function exportAll(model: string, corrections: readonly Correction[]): void {
  const lines = corrections.flatMap(({ item, labels }) => (labels ? [`${JSON.stringify({ ...item, labels })}\n`] : []))
  if (lines.length > 0) download(`${model}-corrections.jsonl`, lines.join(''), 'application/x-ndjson')
  const left = corrections.length - lines.length
  if (left > 0) {
    toast.value = {
      text: `Left out: ${count(left, 'correction')} that only rejected labels. Training needs right ones.`,
    }
  }
}
