// The tables of MarginClassifier, condensing and nets.

import { measuredOn, megabytes, result, resultFiles, table, three } from './table-parts.mjs'

export const marginTables = {
  'margin-letter'() {
    const kept = result('margin-letter')
    const rows = kept.curve.map(({ gap, dropped, heldOutError, error }) => [
      ...[gap, gap === 0 ? '∞' : (2 / gap).toPrecision(2), dropped, three(dropped / kept.rows)],
      ...[three(heldOutError), three(error)],
    ])
    const heads = ['gap', 'L', 'rows dropped', 'share', 'error, held out', 'error, test']
    return `${table(heads, rows)}\n\n${measuredOn(kept)}`
  },
  'margin-condense'() {
    const kept = result('margin-letter')
    const rows = kept.condensed.map(({ keep, share, rows, error }) => [
      ...[share === undefined ? keep : `${keep}, at most ${share}`, rows.toLocaleString('en')],
      ...[three(rows / kept.rows), error.toFixed(4)],
    ])
    const all = ['all rows', kept.rows.toLocaleString('en'), '1.000', kept.plain.toFixed(4)]
    return `${table(['kept', 'rows', 'share', 'error of 1-NN'], [all, ...rows])}\n\n${measuredOn(kept)}`
  },
  'margin-names'() {
    const seeds = resultFiles('margin-names').concat(result('margin-names'))
    const all = [...new Map(seeds.map(one => [one.seed, one])).values()].sort((a, b) => a.seed - b.seed)
    const rows = all.flatMap(({ seed, measured }) =>
      measured.map(one => [
        ...[`${one.distance}, split ${seed}`, three(one.plain), three(one.voting.error)],
        ...[`**${three(one.margin.error)}**`, three(one.tolerant.error)],
        ...[one.report.gap.toPrecision(3), one.report.dropped, one.fitSeconds],
        ...[one.margin.cpuMillisPerItem, one.tolerant.cpuMillisPerItem, megabytes(one.peakRssBytes)],
      ]),
    )
    const heads = [
      ...['distance', 'plain 1-NN', '1-NN, ties by vote', 'margin', 'margin, η = 0.1'],
      ...['gap', 'dropped', 'fit s', 'ms per name', 'ms, η = 0.1', 'peak MB'],
    ]
    return `${table(heads, rows)}\n\n${measuredOn(...all)}`
  },
  'margin-coverage'() {
    const [first] = result('margin-names').measured
    const score = margin => ((1 + margin) / 2).toFixed(4)
    const rows = first.coverage.map(({ margin, coverage, risk }) => [score(margin), three(coverage), three(risk)])
    return table(['minimum score', 'share answered', 'error on those'], rows)
  },
  'margin-net'() {
    const kept = result('margin-net')
    const [{ rows: _rows, fitSeconds: _fit, dimension: _dimension, ...ways }] = kept.counts
    const names = Object.keys(ways)
    const rows = kept.counts.map(one => [
      ...[one.rows.toLocaleString('en'), ...names.map(name => one[name])],
      ...[one.dimension, one.fitSeconds],
    ])
    const heads = ['rows', ...names.map(name => name.replace('k', 'k = ')), 'dimension', 'build s']
    return `${table(heads, rows)}\n\n${measuredOn(kept)}`
  },
}
