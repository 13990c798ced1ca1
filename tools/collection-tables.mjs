// The tables of docs/collections.md.

import { measuredOn, placeOf, result, table, three } from './table-parts.mjs'

const plainName = name => (name === 'vicinal' ? '`Collection`' : name)

export const collectionTables = {
  'collection-titles'() {
    const kept = result('collection-titles')
    const rows = kept.results.map(({ name, version, buildSeconds, megabytes, meanMillis, overlap }) => [
      name === 'vicinal' ? plainName(name) : `${name} ${version}`,
      ...[`${buildSeconds} s`, `${megabytes} MB`, `${meanMillis} ms`, overlap.toFixed(2)],
    ])
    const heads = [
      `${kept.titles.toLocaleString('en')} titles`,
      'build',
      'memory of the process',
      'mean time of a query',
      'of the ten best by plain BM25',
    ]
    return `${table(heads, rows)}\n\n${measuredOn(kept)}`
  },
  'collection-words'() {
    const [algorithms, forgiving] = [result('collection-algorithms'), result('collection-forgiving')]
    const names = { bounds: 'lists, with bounds', termAtATime: 'lists, term at a time' }
    const rows = [
      ...algorithms.results.map(({ name, meanMillis, p95Millis }) => [names[name], meanMillis, p95Millis]),
      ...forgiving.results.map(({ what, meanMillis, p95Millis }) => [`search, ${what}`, meanMillis, p95Millis]),
    ]
    return `${table(['', 'mean ms', '95th percentile'], rows)}\n\n${measuredOn(algorithms, forgiving)}`
  },
  'collection-filters'() {
    const kept = result('collection-filters')
    const shares = [...new Set(kept.results.map(({ share }) => share))].sort((a, b) => b - a)
    const lines = [...new Map(kept.results.map(({ by, what }) => [`${by}, ${what}`, { by, what }])).values()]
    const cell = ({ millis, recall }) => `${millis} (${recall.toFixed(2)})`
    const rows = lines.map(({ by, what }) => [
      `${by === 'LanceDB' ? `LanceDB ${kept.lancedb}` : by}: ${what}`,
      ...shares.map(share => cell(kept.results.find(one => one.by === by && one.what === what && one.share === share))),
    ])
    const heads = [
      'ms (share of the exact ten)',
      ...shares.map(share => (share === 1 ? 'no filter' : `${100 * share} % pass`)),
    ]
    return `${table(heads, rows)}\n\n${measuredOn(kept)}`
  },
  'collection-hybrid'() {
    const kept = result('collection-hybrid')
    const rows = kept.results.map(({ what, ndcg, ndcgFewWords }) => [what, three(ndcg), three(ndcgFewWords)])
    const heads = ['nDCG@10', `all ${kept.queries} queries`, `${kept.queriesWithFewWords} that share few words`]
    return `${table(heads, rows)}\n\n${placeOf(kept)}`
  },
  'collection-churn'() {
    const kept = result('collection-churn-clusters')
    const pick = [0, 1, 2, 5, 10].map(i => kept.curve[i]).filter(Boolean)
    const rowOf = (name, { recall, megabytes = '', builds }) => [name, three(recall), megabytes, builds]
    const rows = [
      ...pick.map(point => rowOf(`after ${point.turnover} × as many changes as documents`, point)),
      rowOf('the same, at rest', kept.settled),
      rowOf('built anew from the same documents', kept.fresh),
    ]
    return `${table(['', 'recall of the ten nearest', 'MB of vectors', 'forests built'], rows)}\n\n${placeOf(kept)}`
  },
}
