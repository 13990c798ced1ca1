import { availableParallelism } from 'node:os'
import { expect, it } from 'vitest'
import { tryModels } from './models-run.ts'
import { caseCount, isLong, report } from './report.ts'

const tried = caseCount(400, 100_000)
const runs = isLong ? availableParallelism() : 1

it('a changed model with a right checksum is refused when loaded, or answers sanely', {
  timeout: 7_200_000,
}, async () => {
  const each = tried / runs
  const failures = await Promise.all(Array.from({ length: runs }, (_, run) => tryModels(run * each, each)))
  report({ name: 'models of every kind, changed and given a valid checksum', tried, failed: failures.flat().length })
  expect(failures.flat().slice(0, 20)).toEqual([])
})
