import { describe, expect, it } from 'vitest'
import { runTrials } from './child-run.ts'
import { greedyFiles, packedCount, worstFew } from './hostile-files.ts'
import { caseCount, report } from './report.ts'
import { sampleFiles } from './sample-files.ts'

/** Reads the first `tried` files of a family, in processes of their own. */
async function tryFiles(family: string, tried: number, name: string): Promise<void> {
  const nameOf = (i: number) => (family === 'damaged' ? (sampleFiles[i % sampleFiles.length]?.format ?? '') : family)
  const failures = await runTrials({ program: 'files-child.ts', words: [family], nameOf }, 0, tried)
  report({ name, tried, failed: failures.length })
  expect(failures.slice(0, 20)).toEqual([])
}

describe('a hostile file is read for what it is, or refused with an EngineError', { timeout: 3_600_000 }, () => {
  it('after a few bytes of it were changed', () => {
    return tryFiles('damaged', caseCount(2_000, 100_000), 'data files of every format, damaged')
  })

  it('within seconds, if it is a megabyte of the characters that its reader looks out for', () => {
    return tryFiles('worst', caseCount(worstFew, 5_000), 'a megabyte of each character that a reader treats specially')
  })

  it('before memory is set aside, if it asks for more than there is', () => {
    const all = greedyFiles().length
    return tryFiles('greedy', caseCount(all - packedCount, all), 'files that claim more memory than there is')
  })
})
