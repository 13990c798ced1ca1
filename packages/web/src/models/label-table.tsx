// Quality label by label, the worst first. A click on a heading sorts by it.

import { useState } from 'preact/hooks'
import { type LabelQuality, nameOf } from '../backend/answers.ts'
import { Bar } from '../parts/bar.tsx'
import { Card } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'
import { decimal, grouped } from '../parts/numbers.ts'
import { type LabelColumn, sortLabels } from './sort-labels.ts'

const columns: readonly (readonly [LabelColumn, string, string])[] = [
  ['label', 'Label', ''],
  ['support', 'Items', 'Items that have it'],
  ['precision', 'Precision', 'Of those it is suggested for, the share that has it'],
  ['recall', 'Recall', 'Of those that have it, the share it is suggested for'],
  ['f1', 'F1', 'Precision and recall in one'],
]

export function LabelTable({ rows }: { rows: readonly LabelQuality[] }) {
  const [column, setColumn] = useState<LabelColumn>('f1')
  const [isDown, setDown] = useState(false)
  const [search, setSearch] = useState('')
  const [limit, setLimit] = useState(12)
  const wanted = search.trim().toLowerCase()
  const found = rows.filter(row => `${row.label} ${row.name ?? ''}`.toLowerCase().includes(wanted))
  const sorted = sortLabels(found, column, isDown)
  const sortBy = (next: LabelColumn) => {
    setDown(next === column ? !isDown : false)
    setColumn(next)
  }
  return (
    <Card
      title="Labels"
      aside={
        <input
          class="field narrow"
          type="search"
          aria-label="Find a label"
          placeholder="Find …"
          value={search}
          onInput={event => setSearch(event.currentTarget.value)}
        />
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must reach what scrolls */}
      <section class="scroll" tabIndex={0} aria-label="Quality per label">
        <table class="table">
          <thead>
            <tr>
              {columns.map(([name, title, means]) => (
                <th
                  key={name}
                  scope="col"
                  aria-sort={name === column ? (isDown ? 'descending' : 'ascending') : undefined}
                >
                  <button type="button" title={means} onClick={() => sortBy(name)}>
                    {title}
                    {name === column && (
                      <span class={isDown ? 'sort is-down' : 'sort'}>
                        <Icon name="chevron" size={12} />
                      </span>
                    )}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, limit).map(row => (
              <tr key={row.label}>
                <th scope="row" title={row.label}>
                  {nameOf(row)}
                </th>
                <td>{grouped(row.support)}</td>
                <td>{decimal(row.precision)}</td>
                <td>{decimal(row.recall)}</td>
                <td class="with-bar">
                  <Bar share={row.f1} /> {decimal(row.f1)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {sorted.length > limit && (
        <button type="button" class="button" onClick={() => setLimit(limit + 50)}>
          Show more of {grouped(sorted.length)}
        </button>
      )}
    </Card>
  )
}
