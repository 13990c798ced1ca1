import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { report } from './report.ts'

const folder = mkdtempSync(join(tmpdir(), 'vicinal-report-'))
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

it('keeps the counts of a check in the folder that HOSTILE_REPORT names', () => {
  vi.stubEnv('HOSTILE_REPORT', join(folder, 'counts'))
  const counts = { name: 'Files cut short, any format', tried: 3, failed: 0 }
  report(counts)
  const kept = readFileSync(join(folder, 'counts', 'files-cut-short-any-format.json'), 'utf8')
  expect(JSON.parse(kept)).toEqual(counts)
})
