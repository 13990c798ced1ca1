// Growers by name. A new one is a file and a line here; its loop is a file and a line in assembly/trees/growers.ts.

import { EngineError, shown } from '../errors.ts'
import { cellsGrower } from './cells-grower.ts'
import { chronologicalGrower } from './chronological-grower.ts'
import { classificationGrower } from './classification-grower.ts'
import { graphGrower } from './graph-grower.ts'
import type { Grower } from './grower.ts'
import type { GrowerOptions } from './grower-options.ts'
import { kdGrower } from './kd-grower.ts'
import { pcaGrowerFor } from './pca-grower.ts'
import { randomProjectionGrower } from './random-projection-grower.ts'

const growers = {
  'random-projection': () => randomProjectionGrower,
  kd: () => kdGrower,
  chronological: () => chronologicalGrower,
  pca: pcaGrowerFor,
  classification: () => classificationGrower,
  graph: () => graphGrower,
  cells: () => cellsGrower,
} satisfies Record<string, (options: GrowerOptions) => Grower>

/** The name of a tree grower. */
export type GrowerName = keyof typeof growers

/** All growers' names. */
export const growerNames = Object.keys(growers) as readonly GrowerName[]

/** The grower of that name, for these options. */
export function findGrower(name: GrowerName, options: GrowerOptions = {}): Grower {
  const found = typeof name === 'string' && Object.hasOwn(growers, name) ? growers[name] : undefined
  if (!found) {
    throw new EngineError('UNKNOWN_NAME', `grower is ${shown(name)}, expected one of ${growerNames.join(', ')}`)
  }
  return found(options)
}

/** Levels of a tree whose leaves have at most `leafSize` rows, with some to spare for uneven splits. */
export function depthFor(name: GrowerName, rows: number, leafSize: number): number {
  const halvings = Math.max(1, Math.ceil(Math.log2(Math.max(2, rows / leafSize))))
  return Math.min(30, halvings + findGrower(name).spareLevels)
}
