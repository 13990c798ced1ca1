// Every public call, with arguments it takes. Whoever adds a public function or method adds it to one of these files: a test compares
// with what the packages export.

import * as core from './core-names.ts'
import type { Call } from './wrong-types.call.ts'
import { rows } from './wrong-types.call.ts'
import { collectionCalls, collectionStoreCalls } from './wrong-types.collections.ts'
import { dataCalls, modelCalls } from './wrong-types.files.ts'
import { matrixCalls, measureCalls } from './wrong-types.measures.ts'
import { memoryCalls, storeCalls } from './wrong-types.memories.ts'
import { classifierCalls, indexCalls } from './wrong-types.models.ts'
import { otherCalls } from './wrong-types.others.ts'

export async function publicCalls(folder: string): Promise<Call[]> {
  return [
    ...matrixCalls(),
    ...(await indexCalls(folder)),
    ...(await classifierCalls(folder)),
    ...measureCalls(),
    ...modelCalls(folder, (await core.ExactIndex.fit(rows)).contents()),
    ...dataCalls(folder),
    ...(await otherCalls(folder)),
    ...(await collectionCalls(folder)),
    ...(await collectionStoreCalls(folder)),
    ...memoryCalls(folder),
    ...(await storeCalls(folder)),
  ]
}
