// How `vicinal inspect` prints a model file: as text for people, as an object for programs.

import type { ModelFacts } from '@vicinal/core'
import { formatBytes, formatCount, formatCountOf } from './quantity.ts'
import { formatTable, oneLine, shorten } from './table.ts'

const longestValue = 80

export function modelJson(file: string, facts: ModelFacts): object {
  return { file, kind: 'model', format: 'vicinal', ...facts }
}

export function formatModelReport(file: string, facts: ModelFacts): string {
  const { method, formatVersion, options, meta, tensors, bytes } = facts
  const general = [
    ['method', method],
    ...learnedFrom(meta),
    ['format', `vicinal model, version ${formatVersion}`],
    ['size', formatBytes(bytes)],
  ]
  const arrays = tensors.map(({ name, dtype, shape, bytes }) => [name, dtype, shape.join(' × '), formatBytes(bytes)])
  return [
    `${oneLine(file)}\n${formatTable(general)}`,
    ...values('options', options),
    ...values('contents', meta),
    ...(arrays.length > 0 ? [`tensors\n${formatTable(arrays, ['left', 'left', 'right', 'right'])}`] : []),
  ].join('\n')
}

/** What classifiers and indexes say about the rows they hold. */
function learnedFrom({ rows, labels, text }: ModelFacts['meta']): string[][] {
  if (typeof rows !== 'number') return []
  const kind = text ? 'texts' : 'vectors'
  const labeled = typeof labels === 'number' ? ` with ${formatCountOf(labels, 'label')}` : ''
  return [['learned from', `${formatCount(rows)} ${kind}${labeled}`]]
}

function values(title: string, object: ModelFacts['options']): string[] {
  const lines = Object.entries(object).map(([name, value]) => {
    return [name, shorten(typeof value === 'string' ? value : JSON.stringify(value), longestValue)]
  })
  return lines.length > 0 ? [`${title}\n${formatTable(lines)}`] : []
}
