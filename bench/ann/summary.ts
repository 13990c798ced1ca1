// From all measured settings to what counts: at each level of recall the fastest setting that reaches it.

import type { Plot } from 'vicinal'
import { short } from '../measure.ts'
import type { Knobs } from './contestant.ts'
import type { BuildCost } from './jobs.ts'

export interface Setting {
  readonly query: Knobs
  readonly recall: number
  /** Per query, the best of all rounds and turns. */
  readonly micros: number
  /** Every turn of every round. */
  readonly raw: readonly (readonly number[])[]
}

/** One entry of the grid, measured. */
export interface Measured {
  readonly name: string
  readonly version: string | undefined
  readonly build: Knobs
  readonly buildCost: BuildCost
  /** To load and answer, of the leanest setting. */
  readonly answerPeakBytes: number
  readonly settings: readonly Setting[]
}

const recallLevels = [0.8, 0.9, 0.95, 0.99]
const peers = ['hnswlib-node', 'usearch']

/** A contestant's settings of all its builds, the fastest first. */
function settingsOf(measured: readonly Measured[], name: string) {
  const builds = measured.filter(one => one.name === name)
  const settings = builds.flatMap(({ build, settings }) =>
    settings.map(({ query, recall, micros }) => ({ build, query, recall, micros })),
  )
  return settings.sort((a, b) => a.micros - b.micros)
}

const namesOf = (measured: readonly Measured[]) => [...new Set(measured.map(({ name }) => name))]

/** Per level and contestant the fastest setting, if any, with its time as a share of each peer's. */
export function summarize(measured: readonly Measured[]) {
  return recallLevels.map(level => {
    const fastestOf = (name: string) => settingsOf(measured, name).find(({ recall }) => recall >= level)
    const fastest = namesOf(measured).flatMap(name => {
      const setting = fastestOf(name)
      const ratios = peers.map(peer => [peer, short((setting?.micros ?? 0) / (fastestOf(peer)?.micros ?? Number.NaN))])
      return setting ? [{ name, ...setting, ratios: Object.fromEntries(ratios) }] : []
    })
    return { level, fastest }
  })
}

/** Time over recall: of each contestant the settings that none of its own beats in both. */
export function toPlot(measured: readonly Measured[], title: string): Plot {
  const series = namesOf(measured).map(name => {
    const settings = settingsOf(measured, name)
    const front = settings.filter(({ recall }, i) => settings.slice(0, i).every(faster => faster.recall < recall))
    return { name, points: front.map(({ recall, micros }) => [recall, micros] as const) }
  })
  return { title, x: { label: 'recall@10' }, y: { label: 'microseconds per query', scale: 'log' }, series }
}
