// How `vicinal inspect` prints a model or an index, which are files of one format: as text for people, as an object for
// programs.

import { indexKinds, type ModelFacts } from '@vicinal/core'
import { formatBytes, formatCount, formatCountOf, formatMemories } from '../terminal/quantity.ts'
import { formatTable, oneLine, shorten } from '../terminal/table.ts'

const longestValue = 80

export function modelJson(file: string, facts: ModelFacts): object {
  return { file, kind: kindOf(facts), format: 'vicinal', ...facts }
}

export function formatModelReport(file: string, facts: ModelFacts): string {
  const { formatVersion, options, meta, tensors, bytes } = facts
  const general = [
    ...linesOf[kindOf(facts)](facts),
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

const linesOf = { index: indexLines, memory: memoryLines, model: modelLines }

function kindOf({ method, meta }: ModelFacts): keyof typeof linesOf {
  if (indexKinds().includes(method)) return 'index'
  // A memory that labels is a classifier.
  return method === 'memory' && meta.labels === undefined ? 'memory' : 'model'
}

function memoryLines({ meta: { memories, keys } }: ModelFacts): string[][] {
  const kind = typeof keys === 'object' && keys !== null && 'kind' in keys ? `, found by ${keys.kind} keys` : ''
  return [['memory', `${formatMemories(Number(memories))}${kind}`]]
}

function indexLines({ method, options, meta }: ModelFacts): string[][] {
  const { rows, dims = meta.columns } = meta
  const kind = ['index', `${method}, ${options.metric}`]
  if (typeof rows !== 'number' || typeof dims !== 'number') return [kind]
  if (meta.layout === 'text' || meta.layout === 'any') return [kind, ['holds', formatCountOf(rows, 'item')]]
  return [kind, ['holds', `${formatCountOf(rows, 'vector')} of ${formatCountOf(dims, 'dimension')}`]]
}

/** The method, and what classifiers say about the rows they learned from. */
function modelLines({ method, meta: { rows, labels, text, layout } }: ModelFacts): string[][] {
  if (typeof rows !== 'number') return [['method', method]]
  const kind = text || layout === 'text' ? 'texts' : 'vectors'
  const labeled = typeof labels === 'number' ? ` with ${formatCountOf(labels, 'label')}` : ''
  return [
    ['method', method],
    ['learned from', `${formatCount(rows)} ${kind}${labeled}`],
  ]
}

function values(title: string, object: ModelFacts['options']): string[] {
  const lines = Object.entries(object).map(([name, value]) => {
    return [name, shorten(typeof value === 'string' ? value : JSON.stringify(value), longestValue)]
  })
  return lines.length > 0 ? [`${title}\n${formatTable(lines)}`] : []
}
