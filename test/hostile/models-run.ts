// Hostile models, tried in processes of their own.

import { join } from 'node:path'
import { type Failure, runTrials } from './child-run.ts'
import { sampleModels } from './sample-models.ts'

/** Tries the models [first, first + count); returns what failed. */
export function tryModels(first: number, count: number): Promise<Failure[]> {
  const trials = {
    program: 'models-child.ts',
    async prepare(folder: string) {
      for (const sample of sampleModels) await sample.save(join(folder, sample.name))
    },
    nameOf: (i: number) => sampleModels[i % sampleModels.length]?.name ?? '',
  }
  return runTrials(trials, first, count)
}
