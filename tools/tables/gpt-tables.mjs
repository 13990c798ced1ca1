// The tables of GPT forests.

import { measuredOn, megabytes, peerRows, result, resultFiles, table, three } from './table-parts.mjs'

/** Forests of one set, a line each. */
function forestTable(name) {
  const kept = result(name)
  const rows = kept.measured.map(one => [
    ...[one.what, ...['p@1', 'p@3', 'p@5'].map(measure => three(one[measure]))],
    ...[one.fitSeconds, one.millisPerItem, megabytes(one.modelBytes)],
  ])
  return `${table(['', 'P@1', 'P@3', 'P@5', 'fit s', 'ms per item', 'model MB'], rows)}\n\n${measuredOn(kept)}`
}

export const gptTables = {
  'gpt-sets'() {
    const sets = resultFiles('gpt-sets')
    const heads = [
      'set',
      'P@1',
      'P@3',
      'P@5',
      'PSP@1',
      'PSP@5',
      'trees',
      'fit s',
      'ms per item, one thread',
      'model MB',
      'peak MB',
    ]
    const rows = sets.flatMap(({ measured: [gpt] }) => {
      const { set } = gpt
      const lcif = result(`labels-${set}`).ranks.find(({ weighting }) => weighting === 'learned')
      const figures = one => ['p@1', 'p@3', 'p@5', 'psp@1', 'psp@5'].map(name => three(one[name]))
      const costs = [
        gpt.trees,
        gpt.fitSeconds,
        gpt.millisPerItem,
        megabytes(gpt.modelBytes),
        megabytes(gpt.peakRssBytes),
      ]
      return [
        [`${set}, GPT`, ...figures(gpt), ...costs],
        [`${set}, LCIF`, ...figures(lcif), '', lcif.fitSeconds, lcif.millisPerItem, '', ''],
        ...peerRows(set, 7),
      ]
    })
    const labels = sets.map(({ measured: [{ set }] }) => result(`labels-${set}`))
    return `${table(heads, rows)}\n\n${measuredOn(...sets, ...labels)}`
  },
  'gpt-ablation': () => forestTable('gpt-ablation-bibtex'),
  'gpt-readings': () => forestTable('gpt-readings-bibtex'),
  'gpt-growers': () => forestTable('gpt-growers-bibtex'),
  'gpt-growth'() {
    const growth = result('gpt-growth-yso-finna-en')
    const rows = growth.measured.map(({ train, millisPerItem, fitSeconds, ...one }) => {
      return [train.toLocaleString('en'), millisPerItem, fitSeconds, three(one['p@1'])]
    })
    return `${table(['rows', 'ms per item, one thread', 'fit s', 'P@1'], rows)}\n\n${measuredOn(growth)}`
  },
}
