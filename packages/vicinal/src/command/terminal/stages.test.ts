import {
  type Dataset,
  DenseMatrix,
  findIndexKind,
  findMethod,
  methodNames,
  Random,
  type SparseMatrix,
  selectRows,
} from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { TextRows } from '@vicinal/core/internals'
import { describe, expect, it } from 'vitest'
import '../../index.ts'
import { makingStages, trainStages, tuneStages } from './stages.ts'
import type { WholeEstimate } from './whole-estimate.ts'

const random = new Random(3)
const whole = await readDataset('data/xmc/medical-train.txt.gz')
const medical = selectRows(
  whole,
  Uint32Array.from({ length: 150 }, (_, row) => row),
)
const texts: Dataset = {
  ...{ name: 'texts', rows: medical.rows, labels: medical.labels! },
  texts: Array.from({ length: medical.rows }, () => `w${random.below(50)} w${random.below(50)} w${random.below(50)}`),
}
const dense = DenseMatrix.from(Array.from({ length: 3000 }, () => Array.from({ length: 12 }, () => random.normal())))
const sparse = medical.features as SparseMatrix // XMC rows are sparse

/** The names of all reports, in their order, without those of the names before. */
async function stagesOf(work: (onProgress: (progress: { what: string }) => void) => Promise<{ free?: () => void }>) {
  const names: string[] = []
  const made = await work(({ what }) => names.at(-1) !== what && names.push(what))
  made.free?.()
  return names
}

/** Those that a plan does not expect, or not any more. */
function unplanned(plan: ConstructorParameters<typeof WholeEstimate>[0], names: readonly string[]): string[] {
  let at = 0
  return names.filter(name => {
    const next = plan.findIndex((stage, i) => i >= at && stage.names.includes(name))
    if (next >= 0) at = next
    return next < 0
  })
}

describe('the plan of', () => {
  it.each(methodNames())('train --method %s knows every stage', async method => {
    for (const dataset of [medical, texts]) {
      const names = await stagesOf(onProgress => findMethod(method).fit(dataset, { onProgress }))
      expect(names.length).toBeGreaterThan(0)
      expect(unplanned(trainStages(method), names)).toEqual([])
    }
  })

  it.each(methodNames())('tune --method %s knows every stage', async method => {
    const tune = async (onProgress: (progress: { what: string }) => void) => {
      await findMethod(method).tune(medical, { metric: 'p@1', onProgress })
      return findMethod(method).fit(medical, { onProgress })
    }
    expect(unplanned(tuneStages(method, true), await stagesOf(tune))).toEqual([])
  })

  it.each([
    ['forest', dense],
    ['exact', dense],
    ['inverted', sparse],
    ['sparse-forest', sparse],
    ['net', new TextRows(texts.texts ?? [])],
  ] as const)('index --kind %s knows every stage', async (kind, rows) => {
    const names = await stagesOf(onProgress => findIndexKind(kind).fit(rows, { onProgress }))
    expect(names.length).toBeGreaterThan(0)
    expect(unplanned(makingStages(kind), names)).toEqual([])
  })
})
