// The tables of dense search: native peers, runtimes, and the stages of a search.

import { measuredOn, megabytes, result, table } from './table-parts.mjs'

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

export const annTables = {
  'ann-peers': () => annTable('ann-fashion-mnist'),
  'ann-titles': () => annTable('ann-titles-use512'),
  'ann-runtimes': runtimesTable,
  'forest-stages': stagesTable,
}
