// The tables of ForestIndex and the sparse indexes, beside those of ann-tables.mjs.

import { measuredOn, megabytes, published, result, resultFiles, table, three } from './table-parts.mjs'

export const searchTables = {
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
  'sparse-search'() {
    const search = result('sparse-search')
    const rows = search.lines.map(({ set, algorithm, millis, candidates, ratio }) => {
      return [`${set}, ${algorithm}`, millis, ratio, candidates]
    })
    const heads = ['set', 'ms per query', 'ratio to C++', 'candidates']
    return `${table(heads, rows)}\n\nC++: ${search.cpp}. ${measuredOn(search)}`
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
}
