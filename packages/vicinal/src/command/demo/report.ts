// What `vicinal demo` prints.

import type { Classifier, Dataset } from '@vicinal/core'
import { formatExplanation } from '../reports/explanation.ts'
import { formatBytes, formatCount, formatNumber, formatShare } from '../terminal/quantity.ts'
import { formatTable, oneLine } from '../terminal/table.ts'
import type { Titles } from './data.ts'
import type { DemoModel } from './model.ts'

const suggestionsShown = 3
const reasonsShown = { most: 2, rest: false } as const

export function formatData({ train, test }: Titles): string {
  const { entries, columns } = train.labels!
  const rows = [
    ['to learn from', `${formatCount(train.rows)} titles, ${formatCount(columns)} subjects`],
    ['on average', `${formatNumber(entries / train.rows)} subjects per title`],
    ['to test with', `${formatCount(test.rows)} other titles`],
  ]
  return `Titles of works in Finnish libraries, with the subjects that librarians gave them\n${formatTable(rows)}`
}

export function formatMeasured({ seconds, metrics, millisPerItem, modelBytes }: DemoModel, test: Dataset): string {
  const rows = [
    ['learning took', `${formatNumber(seconds)} s`],
    ['p@1', `${formatShare(metrics['p@1'], 1)} of the first suggestions are right`],
    ...([3, 5] as const).map(k => {
      const [found, possible] = [metrics[`p@${k}`], bestPrecision(test, k)].map(share => formatShare(share, 1))
      return [`p@${k}`, `${found} of the first ${k} are right; at most ${possible} can be`]
    }),
    ['time', `${formatNumber(millisPerItem)} ms per title`],
    ['model', formatBytes(modelBytes)],
  ]
  return `Learned, and tested on the other titles\n${formatTable(rows)}`
}

/** The title, its best subjects and the reasons for each. */
export function formatSuggestions(model: Classifier, title: string): string {
  const suggested = model.predict(title, { top: suggestionsShown })
  if (suggested.length === 0) return `"${oneLine(title)}": none of its words is known, so there are no subjects\n`
  const explained = suggested.map(({ label }) => formatExplanation(model.explain(title, label), reasonsShown))
  return `"${oneLine(title)}"\n${explained.join('')}`
}

export function demoJson(learned: DemoModel, titles: readonly string[]): object {
  const { model, seconds, metrics, millisPerItem, modelBytes } = learned
  return {
    method: model.method,
    options: model.options,
    seconds,
    metrics,
    cost: { predictMillisPerItem: millisPerItem, modelBytes },
    titles: titles.map(title => ({ title, labels: model.predict(title, { top: suggestionsShown }) })),
  }
}

/** The highest possible P@k: a title with one subject has k − 1 wrong ones among the first k. */
function bestPrecision({ labels, rows }: Dataset, k: number): number {
  let right = 0
  for (let row = 0; row < rows; row++) right += Math.min(k, labels!.row(row).length)
  return right / (k * rows)
}
