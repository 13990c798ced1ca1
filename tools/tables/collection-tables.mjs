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
    const rows = kept.results.map(({ what, ndcg, ndcgFewWords, ndcgExactWords }) => [
      ...[what, three(ndcg), three(ndcgFewWords), three(ndcgExactWords)],
    ])
    const few = `${kept.queriesWithFewWords} that share few words`
    const heads = ['nDCG@10', `${kept.queries} titles`, few, `words of ${kept.queriesWithExactWords} titles`]
    return `${table(heads, rows)}\n\n${placeOf(kept)}`
  },
  'collection-churn'() {
    const kept = ['clusters', 'titles'].map(name => result(`collection-churn-${name}`))
    const rowOf = (name, points) => [
      name,
      ...points.map(({ recall }) => three(recall)),
      ...points.map(({ megabytes = '' }) => megabytes),
    ]
    const pick = [0, 2, 4, 8, 12, 16, 20].filter(i => kept[0].curve[i])
    const rows = [
      ...pick.map(i => {
        const points = kept.map(({ curve }) => curve[i])
        return rowOf(`${points[0].operations.toLocaleString('en')} changes`, points)
      }),
      rowOf(
        'the same, at rest',
        kept.map(({ settled }) => settled),
      ),
      rowOf(
        'built anew from the same documents',
        kept.map(({ fresh }) => fresh),
      ),
    ]
    const heads = ['', 'clusters: recall', 'titles: recall', 'clusters: MB', 'titles: MB']
    return `${table(heads, rows)}\n\n${placeOf(kept[1])}`
  },
  'collection-waits'() {
    const kept = result('collection-waits')
    const rows = kept.phases.map(({ name, upserts, searches, loop }) => {
      return [name, upserts.p99, upserts.max, searches.p99, searches.max, loop.max]
    })
    const heads = ['ms', 'upsert, p99', 'longest', 'search, p99', 'longest', 'event loop, longest']
    return `${table(heads, rows)}\n\n${placeOf(kept)}`
  },
}
