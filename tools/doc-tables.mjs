// The tables of the documentation, made from bench/results. A document marks the place:
//   <!-- table: kernels --> … <!-- end -->
// `node tools/doc-tables.mjs` fills all marked places; a test checks that they are filled as they should be.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { annTables } from './tables/ann-tables.mjs'
import { collectionTables } from './tables/collection-tables.mjs'
import { labelTables } from './tables/label-tables.mjs'
import { serviceTables } from './tables/service-tables.mjs'
import { storeTables } from './tables/store-tables.mjs'
import {
  measuredOn,
  megabytes,
  peerRows,
  placeOf,
  published,
  result,
  resultFiles,
  root,
  table,
  three,
} from './tables/table-parts.mjs'

const spread = ({ mean, deviation }) => `${three(mean)} ± ${three(deviation)}`

const documents = ['README.md', ...readdirSync(join(root, 'docs')).map(name => join('docs', name))].filter(name =>
  name.endsWith('.md'),
)

/** Forests of one set, a line each. */
function forestTable(name) {
  const kept = result(name)
  const rows = kept.measured.map(one => [
    ...[one.what, ...['p@1', 'p@3', 'p@5'].map(measure => three(one[measure]))],
    ...[one.fitSeconds, one.millisPerItem, megabytes(one.modelBytes)],
  ])
  return `${table(['', 'P@1', 'P@3', 'P@5', 'fit s', 'ms per item', 'model MB'], rows)}\n\n${measuredOn(kept)}`
}

const makers = {
  ...annTables,
  ...collectionTables,
  ...labelTables,
  ...serviceTables,
  ...storeTables,
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
  'memory-passes'() {
    const kept = result('memory-ablation')
    const rows = kept.byPasses.map(one => [one.passes, one.error, one.probed, one.training])
    return `${table(['passes', 'test error', 'with 2 probes', 'training error'], rows)}\n\n${measuredOn(kept)}`
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
  'memory-limits'() {
    const kept = result('memory-finding')
    const rows = kept.limits.map(one => [
      ...[one.fewestWords === 1 ? 'any' : 'six words or more', one.memories.toLocaleString('en')],
      ...[one.exactCosine.toFixed(3), one.ambiguous.toFixed(3), (1 - one.ambiguous / 2).toFixed(3)],
    ])
    const heads = ['titles', 'memories', 'exact cosine', 'queries with a rival', 'first, if rivals were guessed']
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
  'memory-small'() {
    const kept = result('memory-small')
    const ways = ['stored', 'reroutes alone', 'bandit']
    const rows = ['tree', 'both'].map(retrieval => {
      const of = way => kept.measured.find(one => one.retrieval === retrieval && one.way === way).accuracy
      const [before, , after] = ways.map(of)
      const worse = after.all.filter((one, i) => one < before.all[i]).length
      return [retrieval, ...ways.map(way => spread(of(way))), `${worse} of ${after.all.length}`]
    })
    const heads = ['retrieval', 'accuracy before', 'reroutes alone', 'after 3,000 rewards', 'seeds that got worse']
    return `${table(heads, rows)}\n\n${measuredOn(kept)}`
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
  'graph-ann'() {
    const kept = result('graph-ann')
    const cell = ({ micros, candidates }) => (micros === undefined ? '–' : `${micros} (${candidates})`)
    const rows = kept.measured.map(({ grower, fitSeconds, fronts }) => [
      ...[grower, fitSeconds],
      ...fronts.flatMap(({ at }) => at.map(cell)),
    ])
    const levels = kept.measured[0].fronts[0].at.map(({ level }) => level.toFixed(2))
    const heads = [
      'grower',
      'build s',
      ...levels.map(level => `all compared, ${level}`),
      ...levels.map(level => `sifted, ${level}`),
    ]
    return `${table(heads, rows)}\n\n${measuredOn(kept)}`
  },
  'sparse-forest'() {
    const runs = resultFiles('sparse-forest').sort((a, b) => a.rows - b.rows)
    const { levels } = runs[0]
    const cell = ({ micros, candidates }) => (micros === undefined ? '–' : `${micros} (${candidates})`)
    const lines = runs.flatMap(({ set, rows, trees, inverted, growers }) => [
      [
        `${set}, ${rows.toLocaleString('en')} rows: inverted`,
        inverted.fitSeconds,
        ...levels.map(() => cell(inverted)),
        1,
      ],
      ...growers.map(({ name, fitSeconds, at, best }) => [
        `${set}: ${name}, ${trees} trees`,
        ...[fitSeconds, ...at.map(cell), best],
      ]),
    ])
    const heads = ['set, index', 'build s', ...levels.map(level => `µs at ${level.toFixed(2)}`), 'best recall']
    return `${table(heads, lines)}\n\n${measuredOn(...runs)}`
  },
  filters() {
    const kept = result('filters')
    const shares = [...new Set(kept.measured.map(({ share }) => share))]
    const nameOf = ({ data, index, filter }) => `${data}, ${index}, ${filter}`
    const unfiltered = (data, index) => kept.measured.find(one => one.filter === 'none' && isOf(one, data, index))
    const isOf = (one, data, index) => one.data === data && one.index === index
    const cell = ({ micros, recall }) => `${micros} (${three(recall)})`
    const rows = [...new Map(kept.measured.map(one => [nameOf(one), one])).values()]
      .filter(({ filter }) => filter !== 'none')
      .map(({ data, index, filter }) => [
        nameOf({ data, index, filter }),
        cell(unfiltered(data, index)),
        ...shares
          .filter(share => share < 1)
          .map(share =>
            cell(kept.measured.find(one => one.filter === filter && one.share === share && isOf(one, data, index))),
          ),
      ])
    const heads = [
      'data, index, filter',
      'no filter',
      ...shares.filter(share => share < 1).map(share => `${100 * share} % pass`),
    ]
    return `${table(heads, rows)}\n\n${measuredOn(kept)}`
  },
  'sparse-search'() {
    const search = result('sparse-search')
    const rows = search.lines.map(({ set, algorithm, millis, candidates, ratio }) => {
      return [`${set}, ${algorithm}`, millis, ratio, candidates]
    })
    const heads = ['set', 'ms per query', 'ratio to C++', 'candidates']
    return `${table(heads, rows)}\n\nC++: ${search.cpp}. ${measuredOn(search)}`
  },
  'forest-online'() {
    const { machine, changes, kept } = result('forest-online')
    const { added, removed, microsPerAdd, microsPerRemove, recall } = changes
    const heads = ['index', 'recall', 'size relative to the rows']
    const rows = [
      [`after ${added} added and ${removed} removed`, three(recall.changed), ''],
      ['rebuilt over the same rows', three(recall.fresh), ''],
      ...kept.map(({ options, recall, shareOfRows }) => [
        Object.entries(options)
          .map(([name, value]) => `${name} ${value}`)
          .join(', '),
        ...[three(recall), `${shareOfRows} ×`],
      ]),
    ]
    const times = `Adding a row took ${microsPerAdd} µs, removing one ${microsPerRemove} µs.`
    return `${table(heads, rows)}\n\n${times} ${measuredOn({ machine })}`
  },
  'many-rows'() {
    const all = resultFiles('many-rows').sort((a, b) => a.built.rowsBytes - b.built.rowsBytes)
    const times = (bytes, { built }) => `${(bytes / built.rowsBytes).toFixed(2)} ×`
    const rows = all.map(one => {
      const { built, answered, own, set, keep } = one
      return [
        `${set}, ${built.rows.toLocaleString('en')} × ${built.dims}, keep ${keep}`,
        ...[built.coreSeconds, times(built.engineBytes, one), times(built.peakRss, one)],
        ...[times(answered.engineBytes, one), times(answered.resident - answered.bareRss, one)],
        ...[megabytes(answered.resident), answered.loadSeconds, own.micros, three(own.found)],
      ]
    })
    const heads = ['set', 'fit, core s', 'engine memory, fit', 'process, fit', 'engine memory, loaded']
    const more = ['process, loaded, beyond a bare one', 'process, loaded, MB', 'load s', 'µs per query', 'recall']
    return `${table([...heads, ...more], rows)}\n\n${measuredOn(...all)}`
  },
  'many-rows-efforts'() {
    const all = resultFiles('many-rows').filter(({ set }) => set === 'titles')
    const rows = all.flatMap(({ built, lines }) =>
      lines.map(({ recall, found, micros, effort }) => [
        ...[built.rows.toLocaleString('en'), recall.toFixed(2), three(found), micros],
        `${effort.trees} trees, ${effort.probes} probes, walk ${effort.walk}, rerank ${effort.rerank}`,
      ]),
    )
    return table(['rows', 'recall on held-out rows, at least', 'on queries', 'µs per query', 'effort'], rows)
  },
  turnover() {
    const { lines, ...measured } = result('turnover')
    const rows = lines.map(({ data, rows, dims, turns, recall, micros }) => [
      `${data}, ${rows} × ${dims}, all rows replaced ${turns} times`,
      ...[three(recall.changed), three(recall.fresh), micros.changed, micros.fresh],
    ])
    const heads = ['data', 'recall', 'of a fresh build', 'µs per query', 'of a fresh build']
    return `${table(heads, rows)}\n\n${measuredOn(measured)}`
  },
  consistency() {
    const lines = result('consistency').lines.filter(({ k }) => k === 10)
    const nameOf = ({ distribution, dims, leaves, threshold }) =>
      `${distribution}, d = ${dims}, ${leaves}, τ = ${threshold}`
    const rows = [...new Set(lines.map(nameOf))].map(name => {
      const own = lines.filter(line => nameOf(line) === name)
      const { recall, precision } = own.at(-1)
      return [name, ...own.map(({ loss }) => three(loss)), three(recall), three(precision)]
    })
    const [first, ...more] = [...new Set(lines.map(({ n }) => n.toLocaleString('en-US')))]
    const last = more.at(-1)
    return table(['data', `0-1 loss, n = ${first}`, ...more, `recall, n = ${last}`, 'precision'], rows)
  },
  'sparse-candidates'() {
    const { lines } = result('sparse-search')
    const rows = Object.entries(published.lcifPaperCandidates).flatMap(([set, paper]) => {
      const ours = lines.filter(line => line.set === set)
      if (ours.length === 0) return []
      const cells = (name, of) => [`${set}, ${name}`, ...algorithms.map(algorithm => of(algorithm) ?? '')]
      const algorithms = ['threshold', 'wand', 'partitioned', 'taat', 'auto']
      return [
        cells('ours', algorithm => ours.find(line => line.algorithm === algorithm)?.candidates),
        cells('the paper', algorithm => paper[algorithm]),
      ]
    })
    return table(['set', 'threshold', 'wand', 'partitioned', 'taat', 'auto'], rows)
  },
  'sparse-partitions'() {
    const partitions = result('sparse-partitions')
    const rows = partitions.lines.map(({ set, partitionBest, millis, candidates }) => [
      `${set}, ${partitionBest}`,
      millis,
      candidates,
    ])
    return `${table(['set, partitionBest', 'ms per query', 'candidates'], rows)}\n\n${measuredOn(partitions)}`
  },
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
  reliability() {
    const kept = result('reliability')
    const rows = kept.checks.map(({ name, tried, failed, note = '' }) => {
      return [name, tried.toLocaleString('en'), failed, note]
    })
    return `${table(['what we tried', 'cases', 'failed', ''], rows)}\n\n${placeOf(kept)}`
  },
  'before-after'() {
    const compared = result('before-after')
    const rows = compared.measured.map(({ job, beforeMillis, afterMillis, ratio }) => [
      ...[job, beforeMillis, afterMillis, `${ratio}×`],
    ])
    return `${table(['job', 'before, ms', 'after, ms', 'ratio'], rows)}\n\n${measuredOn(compared)}`
  },
  kernels() {
    const kernels = result('kernels')
    const rows = kernels.lines.map(({ kernel, js, wasm, gain }) => [kernel, js, wasm, `${gain}×`])
    return `${table(['kernel (ns per row, unless stated)', 'plain JS', 'ours', 'gain'], rows)}\n\n${measuredOn(kernels)}`
  },
}

/** From a mark to its end, with or without a table in between, but never over another mark. */
const place = /<!-- table: ([\w-]+) -->\n((?!<!-- (?:table: |end -->))[\s\S])*<!-- end -->/g
const marks = /<!-- table: /g

/** The document's text with all its tables made anew. */
export function fillTables(text) {
  const open = text.replace(place, '').match(marks)
  if (open) throw new Error(`${open.length} table marks have no <!-- end --> of their own, or stand in a line with it`)
  return text.replace(place, (_, name) => {
    if (!makers[name]) throw new Error(`no table is called ${name}; known: ${Object.keys(makers).join(', ')}`)
    return `<!-- table: ${name} -->\n${makers[name]()}\n<!-- end -->`
  })
}

/** The documents with their text as it is. */
export function readDocuments() {
  return documents
    .filter(name => existsSync(join(root, name)))
    .map(name => ({ name, text: readFileSync(join(root, name), 'utf8') }))
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { name, text } of readDocuments()) writeFileSync(join(root, name), fillTables(text))
}
