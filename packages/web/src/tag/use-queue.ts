// Many texts from a file: the model suggests labels for all of them, a person goes through them one by one.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Suggestion } from '../backend/answers.ts'
import { Problem } from '../backend/backend.ts'
import { type Cells, readTable, type Table, textColumn } from '../files/read-table.ts'
import { call, connection, report } from '../state/session.ts'
import { itemOf } from './item.ts'

export interface QueueRow {
  readonly cells: Cells
  readonly text: string
  /** Those that pass the model's threshold; undefined before they were asked for. */
  readonly labels?: readonly Suggestion[]
}

export interface TextQueue {
  readonly table: Table | undefined
  readonly column: string
  readonly rows: readonly QueueRow[]
  /** How many have suggestions. */
  readonly ready: number
  readonly place: number
  readonly current: QueueRow | undefined
  open(file: File): Promise<void>
  chooseColumn(column: string): void
  go(place: number): void
  edit(text: string): void
  close(): void
}

const atOnce = 64

export function useQueue(model: string, takesTexts: boolean): TextQueue {
  const [table, setTable] = useState<Table>()
  const [column, setColumn] = useState('text')
  const [rows, setRows] = useState<readonly QueueRow[]>([])
  const [place, setPlace] = useState(-1)
  const run = useRef(new AbortController())
  useEffect(() => () => run.current.abort(), [])

  const begin = (table: Table, column: string) => {
    run.current.abort()
    run.current = new AbortController()
    const fresh = table.rows.map(cells => ({ cells, text: textOf(cells[column]) }))
    setTable(table)
    setColumn(column)
    setRows(fresh)
    setPlace(0)
    void suggestAll(model, takesTexts, fresh, run.current.signal, (from, found) => {
      setRows(last => last.map((row, i) => withLabels(row, found[i - from])))
    }).catch(report)
  }
  return {
    ...{ table, column, rows, place, current: rows[place] },
    ready: rows.filter(row => row.labels).length,
    async open(file) {
      try {
        const table = await readTable(file)
        begin(table, textColumn(table))
      } catch (error) {
        report(error)
      }
    },
    chooseColumn: column => table && begin(table, column),
    go: place => setPlace(Math.max(0, Math.min(rows.length - 1, place))),
    edit: text => setRows(last => last.map((row, i) => (i === place ? { ...row, text } : row))),
    close() {
      run.current.abort()
      setTable(undefined)
      setRows([])
      setPlace(-1)
    },
  }
}

function withLabels(row: QueueRow, labels: readonly Suggestion[] | undefined): QueueRow {
  return labels ? { ...row, labels } : row
}

function textOf(cell: unknown): string {
  return typeof cell === 'string' ? cell : cell === undefined || cell === null ? '' : JSON.stringify(cell)
}

/** Asks in pieces, so that progress shows. Rows that the model cannot read get no labels. */
async function suggestAll(
  model: string,
  takesTexts: boolean,
  rows: readonly QueueRow[],
  signal: AbortSignal,
  onFound: (from: number, found: readonly (readonly Suggestion[])[]) => void,
): Promise<void> {
  for (let from = 0; from < rows.length && !signal.aborted; from += atOnce) {
    const items = rows.slice(from, from + atOnce).map(({ text }) => itemOf(text, takesTexts))
    const asked = items.filter(item => item !== undefined)
    const options = { items: asked, top: 10, thresholded: true }
    const { predictions } =
      asked.length === 0
        ? { predictions: [] }
        : await persistently(signal, () =>
            call<{ predictions: { labels: Suggestion[] }[] }>('model', model, 'predictBatch', options, signal),
          )
    let next = 0
    onFound(
      from,
      items.map(item => (item ? (predictions[next++]?.labels ?? []) : [])),
    )
  }
}

/** Waits while the service does not answer, and goes on when it is back. */
async function persistently<Answer>(signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'OFFLINE')) throw error
      await connected(signal)
    }
  }
}

function connected(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const stop = connection.watch(state => {
      if (state !== 'on') return
      stop()
      resolve()
    })
    signal.addEventListener('abort', () => [stop(), resolve()], { once: true })
  })
}
