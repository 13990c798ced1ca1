// Options of classifiers that are about dense vectors: what distance means, and how columns are scaled first.

import { EngineError } from '../../errors.ts'
import { checkWord } from '../../options.ts'

export const vectorDistances = ['auto', 'cosine', 'euclidean'] as const
export type VectorDistance = (typeof vectorDistances)[number]

export const scalings = ['auto', 'none', 'center', 'standard'] as const
export type Scaling = (typeof scalings)[number]

export interface ScalingOption {
  /**
   * For dense vectors: 'none' takes columns as they are, 'center' subtracts each column's mean, 'standard' also divides by its
   * standard deviation. Default 'auto': whichever finds the right labels of training rows most often; a model's options name it.
   */
  readonly scaling?: Scaling
}

export interface DistanceOption {
  /**
   * For dense vectors: 'euclidean', or 'cosine', which looks at directions alone. Default 'auto': chosen along with `scaling`.
   */
  readonly distance?: VectorDistance
}

export const vectorDefaults = Object.freeze({ distance: 'auto', scaling: 'auto' } as const)

export function checkVectorOptions({ distance = 'auto', scaling }: DistanceOption & Required<ScalingOption>): void {
  checkWord('distance', distance, vectorDistances)
  checkWord('scaling', scaling, scalings)
}

/** Options by name: those that matter here. */
type Given = Readonly<Record<string, unknown>>

/** Refuses options that do not apply to dense vectors. */
export function refuseSparseOptions(given: Given): void {
  const { weighting, featureShare } = given
  if (weighting !== undefined && weighting !== 'none' && weighting !== 'auto') {
    throw new EngineError(
      'INVALID_OPTION',
      `weighting is '${weighting}', but dense vectors cannot be weighted: all rows have all features`,
      { hint: "Leave out weighting, or set it to 'none'. For dense vectors, use `scaling`." },
    )
  }
  if (featureShare !== undefined && featureShare !== 1) {
    throw new EngineError(
      'INVALID_OPTION',
      `featureShare is ${featureShare}, but dense vectors keep all their columns`,
      {
        hint: 'Leave out featureShare.',
      },
    )
  }
}

/** Refuses options that do not apply to texts and sparse rows. */
export function refuseDenseOptions(settings: { readonly distance?: unknown; readonly scaling?: unknown }): void {
  for (const name of ['distance', 'scaling'] as const) {
    const value = settings[name]
    if (value === undefined || value === 'auto') continue
    throw new EngineError(
      'INVALID_OPTION',
      `${name} is '${value}', but that option is for dense vectors, and your rows are not dense`,
      {
        hint: 'Texts and sparse rows are compared by cosine. To weight their features, use `weighting`.',
      },
    )
  }
}
