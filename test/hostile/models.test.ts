import { expect, it } from 'vitest'
import { tryModels } from './models-run.ts'
import { caseCount, report } from './report.ts'

const tried = caseCount(400, 100_000)

it('a changed model with a right checksum is refused when loaded, or answers sanely', {
  timeout: 3_600_000,
}, async () => {
  const failures = await tryModels(0, tried)
  report({ name: 'models of every kind, changed and sealed again', tried, failed: failures.length })
  expect(failures.slice(0, 20)).toEqual([])
})
