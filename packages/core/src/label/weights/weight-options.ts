// The options of learning feature weights, their defaults and their checks.

import { EngineError } from '../../errors.ts'
import { defaultEngine, type Engine } from '../../kernels/engine.ts'
import type { LongWork } from '../../long-work.ts'
import type { WeightStart } from './start-weights.ts'

export interface WeightOptions extends LongWork {
  /** The weights before learning. Default 'auto': 'chi2' for rows of ones, 'none' if values vary (tf-idf). */
  readonly start?: WeightStart | 'auto'
  /** Whether to learn, or to keep the start weights. Default true. */
  readonly learn?: boolean
  /** Nearest rows that vote on a row's labels. Default 100. Time grows with it. */
  readonly neighbors?: number
  /** How often to search the nearest rows again, 1 to 100. Default 3. */
  readonly rounds?: number
  /** How often a round goes over its rows, 1 to 100. Default 2. */
  readonly epochs?: number
  /** Rows per round, drawn at random if there are more. Default 20,000. */
  readonly sample?: number
  /** The learning rate at first; it falls to a tenth. Default 0.02. If the loss on checked rows rises, it is too high. */
  readonly rate?: number
  /** Same seed and same data give the same weights on every machine. Default 1. */
  readonly seed?: number
  /** Worker threads of the search. Default: one per core. */
  readonly threads?: number
  /** The engine whose memory is used. Default: the shared engine. */
  readonly engine?: Engine
}

export const weightDefaults = Object.freeze({
  ...({ start: 'auto', learn: true } as const),
  ...{ neighbors: 100, rounds: 3, epochs: 2, sample: 20_000, rate: 0.02, seed: 1 },
})

const starts: readonly string[] = ['auto', 'none', 'idf', 'chi2'] satisfies (WeightStart | 'auto')[]
/** Smallest and largest whole number of each. */
const ranges = { neighbors: [1, 10_000], rounds: [1, 100], epochs: [1, 100], sample: [1, 2 ** 24] } as const

/** Every option, defaults filled in. */
export type WeightSettings = Required<Omit<WeightOptions, 'threads' | keyof LongWork>> & Pick<WeightOptions, 'threads'>

export function checkWeightOptions(options: WeightOptions): WeightSettings {
  const settings = { ...weightDefaults, ...given(options), engine: options.engine ?? defaultEngine() }
  if (!starts.includes(settings.start)) {
    throw new EngineError('UNKNOWN_NAME', `start is '${settings.start}', expected one of ${starts.join(', ')}`)
  }
  for (const [name, [least, most]] of Object.entries(ranges)) {
    const value = settings[name as keyof typeof ranges] // the entries of `ranges`
    if (Number.isInteger(value) && value >= least && value <= most) continue
    throw new EngineError('INVALID_OPTION', `${name} is ${value}, expected a whole number from ${least} to ${most}`)
  }
  if (!(settings.rate > 0 && settings.rate <= 1)) {
    throw new EngineError('INVALID_OPTION', `rate is ${settings.rate}, expected more than 0 and at most 1`)
  }
  if (!Number.isSafeInteger(settings.seed)) {
    throw new EngineError('INVALID_OPTION', `seed is ${settings.seed}, expected a whole number`)
  }
  return settings
}

/** Without the options that are undefined: they mean the default. */
function given(options: WeightOptions): WeightOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
