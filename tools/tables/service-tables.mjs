// The tables of the service: load, kills, and a site without a server.

import { measuredOn, result, table } from './table-parts.mjs'

const count = number => number.toLocaleString('en-US')
const median = numbers => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]

const listed = numbers => `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`

export const serviceTables = {
  'service-load'() {
    const kept = result('service-load')
    const all = name => kept.rounds.map(round => round[name])
    const row = (what, name) => [what, median(all(name)), Math.max(...all(name))]
    const rows = [
      row('labels of a text, 50 %', 'p50'),
      row('labels of a text, 99 %', 'p99'),
      row('`/health` meanwhile, 50 %', 'healthP50'),
      row('`/health` meanwhile, 99 %', 'healthP99'),
      row('`/health` meanwhile, longest', 'healthMax'),
    ]
    const lost = all('lost').reduce((sum, one) => sum + one, 0)
    const perSecond = count(Math.round(kept.requests / median(all('seconds'))))
    const memory = all('rssMegabytes')
    const facts = [
      `${kept.rounds.length} rounds of ${count(kept.requests)} requests over ${kept.connections} connections, from a second process: ${lost} lost, ${perSecond} per second.`,
      `The process had ${memory[0]} MB after the first round and between ${Math.min(...memory)} and ${Math.max(...memory)} MB after the others.`,
      `Most of the difference is garbage that Node collects later: made to collect it every ${kept.collected} rounds, the process had ${listed(kept.collectedMegabytes)} MB.`,
    ]
    return `${table(['', 'ms, median round', 'ms, worst round'], rows)}\n\n${facts.join(' ')} ${measuredOn(kept)}`
  },

  site() {
    const kept = result('site')
    const what = `the bundled titles: ${kept.megabytes} MB, ${count(kept.rows)} rows, ${count(kept.labels)} labels`
    const rows = [
      ['from opening the page to the first field to type in, with the model loaded', `${kept.readySeconds} s`],
      ['from typing a title to its first suggestion', `${kept.suggestedSeconds} s`],
    ]
    return `${table([what, 'Chromium'], rows)}\n\nMedians of ${kept.rounds.length} visits. ${measuredOn(kept)}`
  },

  'service-kills'() {
    const { kills, corrections, memories, lost } = result('service-kills')
    const heads = ['kills', 'corrections acknowledged', 'memories acknowledged', 'lost']
    return table(heads, [[count(kills), count(corrections), count(memories), count(lost)]])
  },
}
