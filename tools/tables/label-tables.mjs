// The tables of the classifiers by neighbors: docs/lcif.md, and the other programs' versions in docs/benchmarks.md.

import { measuredOn, peerRows, placeOf, published, result, resultFiles, table, three } from './table-parts.mjs'

const rivals = ['ML-kNN', 'IBLR', 'BR-SMO']
const methods = { instance: 'instance', feature: 'feature', lcif: 'LCIF' }

/** One measure of Table 2 of paper 003: its columns, its methods as we measure them, and ours as tuned. The best is bold. */
function setsTable(metric) {
  const faithful = resultFiles('lcif-paper')
  const tuned = new Map(resultFiles('labels').map(one => [one.set, one]))
  const rows = faithful.map(({ set, measured }) => {
    const paper = published.lcifPaper[metric][set]
    const own = method => measured.find(one => one.metric === metric && one.method === method)?.value
    return [
      set,
      ...markBest(metric, [
        ...[...Object.keys(methods), ...rivals].map(name => paper[name]),
        ...Object.keys(methods).map(own),
        tuned.get(set)?.goals.find(goal => goal.metric === metric)?.value,
      ]),
    ]
  })
  const names = Object.values(methods)
  const heads = [
    'set',
    ...[...names, ...rivals].map(name => `paper: ${name}`),
    ...names.map(name => `ours: ${name}`),
    'ours, tuned',
  ]
  const measured = [...faithful, ...faithful.flatMap(({ set }) => tuned.get(set) ?? [])]
  return `${table(heads, rows)}\n\n${placeOf(...measured)}`
}

/** Values to three places, as the paper has them; the best in bold, and `=` behind it if it is not the only one. */
export function markBest(metric, values) {
  const shown = values.map(value => (value === undefined ? '' : three(value)))
  const numbers = shown.filter(value => value !== '').map(Number)
  const best = three(metric === 'hammingLoss' ? Math.min(...numbers) : Math.max(...numbers))
  const mark = shown.filter(value => value === best).length > 1 ? ' =' : ''
  return shown.map(value => (value === best ? `**${value}**${mark}` : value))
}

export const labelTables = {
  'label-sets-accuracy': () => setsTable('accuracy'),
  'label-sets-micro-f1': () => setsTable('microF1'),
  'label-sets-macro-f1': () => setsTable('macroF1Mulan'),
  'label-sets-hamming-loss': () => setsTable('hammingLoss'),
  'few-rows'() {
    const sets = resultFiles('few-rows')
    const rows = sets.flatMap(({ set, measured }) =>
      measured.map(({ rows: count, none, learned, auto, chosen }) => [
        `${set}, ${count.toLocaleString('en')} rows`,
        ...[...markBest('p@1', [none, learned, auto]), chosen.join(', ')],
      ]),
    )
    const heads = ['set', 'no weights', 'learned weights', 'the default', 'chosen']
    return `${table(heads, rows)}\n\n${placeOf(...sets)}`
  },
  'vector-labels'() {
    const sets = resultFiles('vector-labels')
    const rows = sets.flatMap(({ set, measured }) =>
      measured.map(
        ({ method, distance = '', scaling = '', fitSeconds, predictMillis, explainMillis, ...precision }) => [
          `${set}, ${method}`,
          ...[distance, scaling, ...['p@1', 'p@3', 'p@5'].map(name => three(precision[name]))],
          ...[fitSeconds, predictMillis, explainMillis],
        ],
      ),
    )
    const heads = ['set', 'distance', 'scaling', 'P@1', 'P@3', 'P@5', 'fit s', 'predict ms', 'explain ms']
    return `${table(heads, rows)}\n\n${measuredOn(...sets)}`
  },
  // For the README: P@1 of our two classifiers and of the other programs, on the sets that some of those were run on.
  'label-peers'() {
    const sets = Object.keys(published.peers)
    const labels = sets.map(set => result(`labels-${set}`))
    const forests = sets.map(set => result(`gpt-sets-${set}`))
    const learned = ({ ranks }) => ranks.find(({ weighting }) => weighting === 'learned')['p@1']
    const programs = [...new Set(Object.values(published.peers).flatMap(peers => Object.keys(peers)))]
    const rows = [
      ['Vicinal, LCIF with learned weights', ...labels.map(learned)],
      ['Vicinal, GPT', ...forests.map(({ measured: [gpt] }) => gpt['p@1'])],
      ...programs.map(name => [name, ...sets.map(set => published.peers[set][name]?.[0])]),
    ]
    const best = sets.map((_, i) =>
      markBest(
        'p@1',
        rows.map(row => row[i + 1]),
      ),
    )
    const marked = rows.map(([name], at) => [name, ...best.map(column => column[at])])
    return `${table(['P@1', ...sets], marked)}\n\nOurs: ${placeOf(...labels, ...forests).replace('Measured', 'measured')}`
  },
  'label-programs'() {
    const rows = Object.entries(published.programs).map(([name, { version, options }]) => [name, version, options])
    return table(['program', 'version', 'options'], rows)
  },
  'label-ranks'() {
    const sets = resultFiles('labels')
    const heads = ['set', 'P@1', 'P@3', 'P@5', 'PSP@1', 'PSP@3', 'PSP@5', 'fit s', 'ms per item, one thread']
    const rows = sets.flatMap(({ set, ranks }) => [
      ...ranks.map(rank => [
        `${set}, weighting ${rank.weighting}`,
        ...['p@1', 'p@3', 'p@5', 'psp@1', 'psp@3', 'psp@5'].map(name => three(rank[name])),
        rank.fitSeconds,
        rank.millisPerItem,
      ]),
      ...peerRows(set, 5),
    ])
    return `${table(heads, rows)}\n\n${measuredOn(...sets)}`
  },
  'label-times'() {
    const sets = resultFiles('labels').filter(({ set }) => published.lcifPaperTotalSeconds[set] !== undefined)
    const rows = sets.flatMap(({ set, ranks }) => [
      ...ranks.map(({ weighting, fitSeconds, millisPerItem }) => [
        `${set}, weighting ${weighting}`,
        fitSeconds,
        millisPerItem,
        '',
      ]),
      [`${set}, the paper's LCIF`, '', '', published.lcifPaperTotalSeconds[set]],
    ])
    return `${table(['set', 'fit s', 'ms per item, one thread', 'train and test s'], rows)}\n\n${measuredOn(...sets)}`
  },
}
