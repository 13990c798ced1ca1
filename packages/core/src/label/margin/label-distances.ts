// How far labels are apart, in any metric: by the distances of some of their rows. For Euclidean distances of all rows it would be the squared
// distance of their means; other metrics have no means, but the same formula says as much there.

import { checkList } from '../../matrix/checks.ts'
import { distancesFrom } from '../../nets/metrics/metric.ts'
import type { MetricItem } from '../../nets/metrics/named-metrics.ts'
import type { Net } from '../../nets/net.ts'
import { checkWhole } from '../../options.ts'
import type { MarginModel } from './model.ts'

/** Rows of all labels together whose distances are computed: distances may be slow, and all pairs are needed. */
const mostRows = 600

/** Squared distances of labels, row by row. NaN for labels whose rows were all dropped or removed. */
export function labelDistances(model: MarginModel, labels: readonly number[]): Float64Array {
  checkList('labels', labels, 'a list of label numbers')
  for (const label of Array.from(labels)) checkWhole('label', label, 0, model.labelNames.count - 1)
  const { metric } = model.net
  const samples = sampleRows(model, labels)
  const count = labels.length
  const means = new Float64Array(count * count)
  for (let a = 0; a < count; a++) {
    const measures = samples[a].map(item => distancesFrom(metric, item))
    for (let b = a; b < count; b++) {
      const mean = meanOf(measures.flatMap(measure => samples[b].map(item => measure(item) ** 2)))
      means[a * count + b] = mean
      means[b * count + a] = mean
    }
  }
  return means.map((mean, at) => {
    const [a, b] = [Math.floor(at / count), at % count]
    const apart = mean - (means[a * count + a] + means[b * count + b]) / 2
    return Math.max(apart, 0) // NaN stays
  })
}

/** Some items of each label, evenly spread over its rows. */
function sampleRows({ net, rowLabels }: MarginModel, labels: readonly number[]): MetricItem[][] {
  const all = new Map(labels.map(label => [label, [] as number[]]))
  rowLabels.forEach((own, row) => {
    if (net.items[row] !== undefined) for (const label of own) all.get(label)?.push(row)
  })
  const most = Math.max(1, Math.floor(mostRows / labels.length))
  return labels.map(label => itemsOf(net, all.get(label) ?? [], most))
}

function itemsOf(net: Net<MetricItem>, rows: readonly number[], most: number): MetricItem[] {
  const count = Math.min(most, rows.length)
  return Array.from({ length: count }, (_, i) => net.item(rows[Math.floor((i * rows.length) / count)]))
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}
