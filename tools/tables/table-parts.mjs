// What the makers of tables share: results, published figures, and the shape of a table.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..', '..')

export const result = name => JSON.parse(readFileSync(join(root, 'bench', 'results', `${name}.json`), 'utf8'))

/** All results whose name begins so. */
export const resultFiles = prefix => {
  const files = readdirSync(join(root, 'bench', 'results')).filter(
    file => file.startsWith(`${prefix}-`) && file.endsWith('.json'),
  )
  return files.map(file => result(file.replace(/\.json$/, '')))
}

export const published = JSON.parse(readFileSync(join(root, 'bench', 'published.json'), 'utf8'))

/** A Markdown table; the first column is left, the others right. */
export function table(heads, rows) {
  const line = cells => `| ${cells.join(' | ')} |`
  return [line(heads), line(heads.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

export const three = value => value.toFixed(3)
export const megabytes = bytes => Math.round(bytes / 1e6)

/** The lines of other programs on a set: `empty` cells behind P@1, P@3 and P@5. */
export const peerRows = (set, empty) =>
  Object.entries(published.peers[set] ?? {}).map(([peer, values]) => [
    ...[`${set}, ${peer}`, ...values.map(three)],
    ...Array.from({ length: empty }, () => ''),
  ])

/** Where, when, and beside how much other work the results of a table were measured. */
export function measuredOn(...results) {
  return `${placeOf(...results)}${loadOf(results.map(({ machine }) => machine))}`
}

/** Where and when, for figures that do not depend on the load. */
export function placeOf(...results) {
  const machines = results.map(({ machine }) => machine)
  const all = name => [...new Set(machines.map(machine => machine[name]))].sort()
  const place = `${all('cores').join(' or ')} cores of ${all('cpu').join(' or ')}, Node ${all('node').join(' or ')}`
  const dates = all('date')
  const when = dates.length > 1 ? `${dates[0]} to ${dates.at(-1)}` : dates[0]
  return `Measured on ${place}, ${when}.`
}

/** Nothing if the machine was quiet. Older results know the load at the end alone, which has the run's own work in it. */
function loadOf(machines) {
  const before = machines.map(({ loadBefore }) => loadBefore)
  if (before.every(load => load !== undefined)) {
    return Math.max(...before) > 1 ? ` Load average before the run: ${range(before)}.` : ''
  }
  const after = machines.map(({ load }) => load)
  return Math.max(...after) > 1 ? ` Load average at the end: ${range(after)}, including the run itself.` : ''
}

function range(loads) {
  const [least, most] = [Math.min(...loads), Math.max(...loads)].map(load => load.toFixed(1))
  return least === most ? most : `${least} to ${most}`
}
