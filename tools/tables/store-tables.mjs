// The tables of the stores: durable inserts, snapshots beside other work, and a long run.

import { measuredOn, result, table } from './table-parts.mjs'

const count = number => number.toLocaleString('en-US')
const median = numbers => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]

export const storeTables = {
  'memory-store'() {
    const kept = result('memory-store')
    const rows = Object.entries(kept.inserting).map(([way, { perSecond, all, cpuMicros }]) => {
      return [way, count(perSecond), count(median(all)), cpuMicros]
    })
    const heads = ['inserts', 'best round, per second', 'median round', 'CPU µs per insert']
    return `${table(heads, rows)}\n\nA flush took ${kept.flushMs} ms. ${measuredOn(kept)}`
  },

  'store-snapshots'() {
    const kept = result('store-snapshots-memory')
    const row = (what, { inserts, seconds, insertP99, insertMax, queryP99, queryMax }) => {
      return [what, count(Math.round(inserts / seconds)), insertP99, insertMax, queryP99, queryMax]
    }
    const heads = ['', 'inserts per second', 'insert ms, 99 %', 'longest', 'query ms, 99 %', 'longest']
    const rows = [row('without a snapshot', kept.calm), row('during one', kept.during)]
    const { before, peak } = kept.rssMegabytes
    const facts = [
      `${count(kept.memories)} memories, ${kept.clients} clients that insert and wait.`,
      `The snapshot took ${kept.during.seconds} s beside them.`,
      `The process had ${count(before)} MB before it and at most ${count(peak)} MB during it.`,
      `Opening the store from the snapshot took ${kept.openSeconds} s.`,
    ]
    return `${table(heads, rows)}\n\n${facts.join(' ')} ${measuredOn(kept)}`
  },

  soak() {
    const kept = result('soak')
    const every = Math.max(1, Math.floor(kept.curve.length / 10))
    const shown = kept.curve.filter((_, i) => (i + 1) % every === 0)
    const rows = shown.map(point => [
      ...[count(point.operations), count(point.memories), point.rssMegabytes, point.heapMegabytes],
      ...[point.routerMegabytes, point.indexMegabytes, point.diskMegabytes, count(point.perSecond)],
    ])
    const heads = ['operations', 'memories', 'RSS MB', 'heap MB', 'routers MB', 'index MB', 'disk MB', 'per second']
    return `${table(heads, rows)}\n\n${kept.faults} problems found at the end. ${measuredOn(kept)}`
  },
}
