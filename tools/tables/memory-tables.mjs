// The tables of the memory tree: finding, learning, growth, and its paper's figures.

import { measuredOn, megabytes, peerRows, published, result, resultFiles, table, three } from './table-parts.mjs'

const spread = ({ mean, deviation }) => `${three(mean)} ± ${three(deviation)}`

export const memoryTables = {
  'memory-classes'() {
    const kept = result('memory-classes')
    const heads = [
      'trees',
      'probes',
      'stored only',
      'after rewards',
      'progressive',
      'µs per query',
      'µs per insert',
      'µs per supervised step',
    ]
    const rows = kept.measured.map(one => [
      ...[one.trees, one.probes, one.unsupervised, one.supervised, one.progressive].map(String),
      ...[one.queryMicros, one.insertMicros, one.learnMicros],
    ])
    const peers = published.memory.clinc150.map(({ what, unsupervised, supervised, progressive }) => [
      what,
      '',
      ...[unsupervised, supervised, progressive].map(value => value ?? ''),
      ...['', '', ''],
    ])
    return `${table(heads, [...rows, ...peers, ['exact nearest neighbor', '', kept.exact, '', '', '', '', '']])}\n\n${measuredOn(kept)}`
  },
  'memory-labels'() {
    const sets = resultFiles('memory-labels')
    const heads = ['set', 'P@1', 'P@3', 'P@5', 'Hamming loss', 'fit s', 'ms per item', 'model MB']
    const rows = sets.flatMap(({ set, measured }) => [
      ...measured.map(one => [
        `${set}, ${one.trees} tree${one.trees > 1 ? 's' : ''}`,
        ...['p@1', 'p@3', 'p@5'].map(measure => three(one[measure])),
        ...[one.hammingLoss.toFixed(4), one.fitSeconds, one.millisPerItem, megabytes(one.modelBytes)],
      ]),
      ...peerRows(set, 4),
    ])
    return `${table(heads, rows)}\n\n${measuredOn(...sets)}`
  },
  'memory-consistency'() {
    const sets = resultFiles('memory-consistency')
    const heads = ['set', 'reroutes', 'after one pass', 'with 2 probes', 'after four', 'with 2 probes']
    const share = value => `${Number((100 * value).toPrecision(2))} %`
    const rows = sets.flatMap(({ set, rows: count, measured }) =>
      measured.map(({ reroutes, first, last }) => [
        `${set}, ${count.toLocaleString('en')} keys`,
        ...[reroutes, ...[first[0], first[1], last[0], last[1]].map(share)],
      ]),
    )
    return `${table(heads, rows)}\n\n${measuredOn(...sets)}`
  },
  'memory-leaves'() {
    const kept = result('memory-ablation')
    const rows = kept.byLeaf.map(one => [one.leafFactor, one.error, one.micros])
    return `${table(['c', 'test error', 'µs per query'], rows)}\n\n${measuredOn(kept)}`
  },
  'memory-balance'() {
    const kept = result('memory-ablation')
    const rows = kept.byBalance.map(one => [
      one.balance,
      one.error,
      one.micros,
      one.insertMicros,
      one.meanDepth,
      one.depth,
    ])
    const heads = ['α', 'test error', 'µs per query', 'µs per insert', 'mean depth', 'deepest leaf']
    return `${table(heads, rows)}\n\n${measuredOn(kept)}`
  },
  'memory-growth'() {
    const kept = result('memory-growth')
    const heads = [
      'memories',
      'µs per query',
      'with 2 probes',
      'µs per insert',
      'depth',
      'router bytes per memory',
      'total bytes per memory',
    ]
    const rows = kept.measured.map(one => [
      one.memories.toLocaleString('en'),
      ...[...one.queryMicros, one.insertMicros, one.depth, one.routerBytesEach, one.bytesEach],
    ])
    return `${table(heads, rows)}\n\n${measuredOn(kept)}`
  },
  'memory-finding'() {
    const kept = result('memory-finding')
    const [long, any] = [6, 1].map(words => kept.titles.filter(({ fewestWords }) => fewestWords === words))
    const heads = [
      'retrieval',
      'probes',
      'memories',
      'first',
      'first, titles of any length',
      'µs per query',
      'µs per insert',
    ]
    const rows = long.map((one, i) => [
      ...[one.retrieval, one.retrieval === 'index' ? '' : one.probes, one.memories.toLocaleString('en')],
      ...[one.first.toFixed(3), any[i].first.toFixed(3), one.queryMicros, one.insertMicros],
    ])
    return `${table(heads, rows)}\n\n${measuredOn(kept)}`
  },
  'memory-users'() {
    const kept = result('memory-finding')
    const rows = kept.users.measured.map(one => [
      one.way,
      `${one.full} of ${kept.users.users}`,
      one.leaks,
      one.queryMicros,
    ])
    return `${table(['filter', 'users with 5 hits', 'hits of others', 'µs per query'], rows)}\n\n${measuredOn(kept)}`
  },
  'memory-learning'() {
    const kept = result('memory-learning')
    const rows = kept.classes.map(one => [one.retrieval, one.way, spread(one.error)])
    return `${table(['retrieval', 'learned by', 'test error'], rows)}\n\n${measuredOn(kept)}`
  },
  'memory-shots'() {
    const kept = result('memory-shots')
    const rows = kept.measured.map(one => [one.shots, spread(one.stored), spread(one.learned)])
    return `${table(['memories a class', 'stored only', 'after one supervised step for each'], rows)}\n\n${measuredOn(kept)}`
  },
  'memory-curve'() {
    const kept = result('memory-curve')
    const from = i => (i === 0 ? 1 : kept.marks[i - 1] + 1)
    const heads = kept.marks.map((mark, i) => `requests ${from(i).toLocaleString('en')}–${mark.toLocaleString('en')}`)
    const rows = kept.measured.map(one => [one.way, ...one.error.map(spread)])
    return `${table(['learned by', ...heads], rows)}\n\n${measuredOn(kept)}`
  },
  'memory-dense'() {
    const kept = result('memory-dense-index')
    const rows = kept.measured.map(one => [
      ...[one.memories.toLocaleString('en'), one.forest.mean, one.forest.p99, one.recall],
      ...[one.insert.mean, one.insert.p99, one.insert.most / 1000],
    ])
    const heads = ['memories', 'µs per query', '99 of 100 within', 'recall of ten']
    return `${table([...heads, 'µs per insert', '99 of 100 within', 'longest insert, ms'], rows)}\n\n${measuredOn(kept)}`
  },
  'memory-words'() {
    const kept = result('memory-words')
    const counts = kept.rewards.map(count => (count === 0 ? 'before' : `${count.toLocaleString('en')} queries`))
    const rows = kept.measured.map(one => [one.keys, one.way, ...one.accuracy.map(spread)])
    return `${table(['keys', 'learned by', ...counts], rows)}\n\n${measuredOn(kept)}`
  },
  'memory-retrieval-growth'() {
    const kept = result('memory-retrieval-growth')
    const heads = [
      'memories',
      'retrieval',
      'µs per query',
      'µs per insert',
      'router bytes per memory',
      'bytes of the index each',
    ]
    const rows = kept.measured.map(one => [
      ...[one.memories.toLocaleString('en'), one.retrieval, one.queryMicros, one.insertMicros],
      ...[one.routerBytesEach, one.indexBytesEach],
    ])
    return `${table(heads, rows)}\n\n${measuredOn(kept)}`
  },
}
