// Growers by name. A new one is a file and a line here.

import { EngineError, shown } from '../errors.ts'
import { chronologicalGrower } from './chronological-grower.ts'
import { classificationGrower } from './classification-grower.ts'
import { graphGrower } from './graph-grower.ts'
import type { Grower } from './grower.ts'
import type { GrowerOptions } from './grower-options.ts'
import { kdGrower } from './kd-grower.ts'
import { pcaGrowerFor } from './pca-grower.ts'
import { randomProjectionGrower } from './random-projection-grower.ts'

/** All growers' names. */
export const growerNames = ['random-projection', 'kd', 'chronological', 'pca', 'classification', 'graph'] as const

/** The name of a way to grow trees. */
export type GrowerName = (typeof growerNames)[number]

const growers: Readonly<Record<GrowerName, (options: GrowerOptions) => Grower>> = {
  'random-projection': () => randomProjectionGrower,
  kd: () => kdGrower,
  chronological: () => chronologicalGrower,
  pca: pcaGrowerFor,
  classification: () => classificationGrower,
  graph: () => graphGrower,
}

/** The grower of that name, for these options. */
export function findGrower(name: GrowerName, options: GrowerOptions = {}): Grower {
  const found = typeof name === 'string' && Object.hasOwn(growers, name) ? growers[name] : undefined
  if (!found) {
    throw new EngineError('UNKNOWN_NAME', `grower is ${shown(name)}, expected one of ${growerNames.join(', ')}`)
  }
  return found(options)
}
