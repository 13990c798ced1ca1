// The tables of dense search: native peers, runtimes, and the stages of a search.

import { measuredOn, megabytes, published, result, table } from './table-parts.mjs'

/** Contestants of bench/ann.ts: the fastest setting at each recall, and what they cost. */
function annTable(file) {
  const ann = result(file)
  const names = [...new Set(ann.measured.map(({ name }) => name))]
  const rows = names.map(name => {
    const best = ann.levels.map(({ fastest }) => fastest.find(one => one.name === name))
    const builds = ann.measured.filter(one => one.name === name)
    // Costs are of the build that is fastest at the highest recall the contestant reaches.
    const shown = JSON.stringify(best.findLast(Boolean)?.build)
    const { buildCost, answerPeakBytes } = builds.find(({ build }) => JSON.stringify(build) === shown) ?? builds[0]
    const costs = [buildCost.seconds.toFixed(1), megabytes(buildCost.bytes), megabytes(answerPeakBytes)]
    return [`${name} ${builds[0].version}`, ...best.map(one => one?.micros ?? '–'), ...costs]
  })
  const levels = ann.levels.map(({ level }) => `recall ${level.toFixed(2)}, µs`)
  const heads = ['contestant', ...levels, 'build s', 'index MB', 'peak MB, answering']
  return `${table(heads, rows)}\n\n${measuredOn(ann)}`
}

/** Searches of the same index in Node and in pages. */
function runtimesTable() {
  const sets = ['fashion-mnist', 'titles-use512'].map(set => result(`ann-browser-${set}`))
  const levels = sets[0].measured[0].fastest.map(({ level }) => level.toFixed(2))
  const heads = ['runtime', 'memory', ...sets.flatMap(({ set }) => levels.map(level => `${set}, ${level}`))]
  const rows = sets[0].measured.map(({ name, shared }) => {
    const micros = sets.flatMap(({ measured }) =>
      measured.find(other => other.name === name).fastest.map(({ micros }) => micros ?? '–'),
    )
    return [name, shared ? 'shared' : 'private', ...micros]
  })
  return `${table(heads, rows)}\n\n${measuredOn(...sets)}`
}

/** Shares of the samples of a profiler. */
function stagesTable() {
  const kept = result('forest-stages')
  const rows = kept.stages.map((stage, i) => [
    stage,
    ...kept.measured.map(({ shares }) => `${Math.round(100 * shares[i])} %`),
  ])
  return `${table(['stage', ...kept.measured.map(({ set }) => set)], rows)}\n\n${measuredOn(kept)}`
}

/** Rules and growers, with all candidates compared and with codes choosing among them. */
function rulesTable() {
  const { fronts, ...measured } = result('forest-rules')
  const ofComparison = comparison => fronts.filter(front => front.comparison === comparison)
  const sifted = ofComparison('sifted')
  const rows = ofComparison('all').map(({ grower, rule, levels }) => {
    const same = sifted.find(front => front.grower === grower && front.rule === rule)
    return [`${grower}, ${rule}`, ...microsOf(levels), levels.at(-1).candidates ?? '–', ...microsOf(same.levels)]
  })
  const [first, ...more] = fronts[0].levels.map(({ level }) => level.toFixed(2))
  const heads = ['trees, rule', `all compared: µs at ${first}`, ...more, `candidates at ${more.at(-1)}`]
  return `${table([...heads, `sifted: µs at ${first}`, ...more], rows)}\n\n${measuredOn(measured)}`
}

/** The same in the paper's setting, beside its own times. */
function paperRulesTable() {
  const { fronts, ...measured } = result('forest-rules-paper')
  const rows = fronts.map(({ grower, rule, levels }) => {
    const own = rule === 'natural' ? published.forestPaper[grower] : levels.map(() => '')
    return [`${grower}, ${rule}`, ...microsOf(levels), levels.at(-1).candidates ?? '–', ...own]
  })
  const [first, ...more] = fronts[0].levels.map(({ level }) => level.toFixed(2))
  const heads = ['trees, rule', `µs at ${first}`, ...more, `candidates at ${more.at(-1)}`, `the paper: µs at ${first}`]
  return `${table([...heads, ...more], rows)}\n\n${measuredOn(measured)}`
}

function microsOf(levels) {
  return levels.map(({ micros }) => micros ?? '–')
}

export const annTables = {
  'forest-rules': rulesTable,
  'forest-rules-paper': paperRulesTable,
  'ann-peers': () => annTable('ann-fashion-mnist'),
  'ann-titles': () => annTable('ann-titles-use512'),
  'ann-runtimes': runtimesTable,
  'forest-stages': stagesTable,
}
