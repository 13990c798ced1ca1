// The figures that say how good a model is and what it costs; before there are any, a way to get them.

import { useState } from 'preact/hooks'
import type { ModelFacts, Quality } from '../backend/answers.ts'
import { labelColumn, labelsOf, readTable, type Table, textColumn } from '../files/read-table.ts'
import { Card } from '../parts/card.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { ago, bytes, count, grouped, micros, percent } from '../parts/numbers.ts'
import { Waiting } from '../parts/state.tsx'
import { call, report } from '../state/session.ts'
import { itemOf } from '../tag/item.ts'

interface QualityCardProps {
  readonly facts: ModelFacts
  readonly quality: Quality | undefined
  onMeasured(): void
}

export function QualityCard({ facts, quality, onMeasured }: QualityCardProps) {
  const [isMeasuring, setMeasuring] = useState(false)
  const measure = async (file: File) => {
    setMeasuring(true)
    try {
      const items = labeledItems(await readTable(file), facts.takesTexts)
      await call('model', facts.name, 'evaluate', { items })
      onMeasured()
    } catch (error) {
      report(error)
    }
    setMeasuring(false)
  }
  const drop = (
    <FileDrop
      name={quality ? 'Measure on another file' : 'Choose a labeled file'}
      accept=".csv,.tsv,.jsonl,.json"
      onFile={file => void measure(file)}
    >
      {quality
        ? `Measured on ${count(quality.n, 'item')}${quality.source === 'request' ? '' : ` of ${quality.source}`}, ${ago(quality.at)}.`
        : `Not measured yet. Drop a file of ${facts.takesTexts ? 'texts' : 'vectors'} with their correct labels, which the model was not trained on, or start the service with --test and such a file.`}
    </FileDrop>
  )
  return (
    <Card title="Quality">
      <div class="stack">
        {isMeasuring && <Waiting rows={2} />}
        {quality && <Figures quality={quality} />}
        {drop}
      </div>
    </Card>
  )
}

const explained: Readonly<Record<string, string>> = {
  'P@1': 'of first suggestions are right',
  'P@5': 'of the first five are right',
  'nDCG@5': 'order of the first five',
  microF1: 'F1, every item counts',
  macroF1: 'F1, every label counts',
}

function Figures({ quality }: { quality: Quality }) {
  const { metrics, millisPerItem, modelBytes, rows } = quality
  const byName = new Map(Object.entries(metrics).map(([name, value]) => [name.toLowerCase(), value]))
  const figures = Object.entries(explained).flatMap(([name, means]) => {
    const value = byName.get(name.toLowerCase())
    return value === undefined ? [] : [{ name, shown: percent(value), means }]
  })
  const costs = [
    { name: 'time', shown: micros(1000 * millisPerItem), means: 'an item' },
    { name: 'size', shown: bytes(modelBytes), means: `for ${grouped(rows)} rows` },
  ]
  return (
    <dl class="figures">
      {[...figures, ...costs].map(({ name, shown, means }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <strong class="number">{shown}</strong>
            <span class="small soft">{means}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

export function labeledItems(table: Table, takesTexts: boolean): object[] {
  const labels = labelColumn(table)
  if (labels === undefined) throw new Error(`${table.name} has no column of labels: call it "labels"`)
  const column = takesTexts ? textColumn(table) : (table.columns.find(name => name === 'vector') ?? 'vector')
  const items = table.rows.flatMap(cells => {
    const item = itemOf(takesTexts ? String(cells[column] ?? '') : JSON.stringify(cells[column] ?? ''), takesTexts)
    return item ? [{ ...item, labels: labelsOf(cells[labels]) }] : []
  })
  if (items.length === 0)
    throw new Error(`${table.name} has no ${takesTexts ? 'texts' : 'vectors'} in the column "${column}"`)
  return items
}
