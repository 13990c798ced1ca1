import { afterAll, describe, expect, it } from 'vitest'
import { TestFolder, vicinal } from '../test-run.ts'

const folder = new TestFolder()
afterAll(() => folder.remove())

describe('vicinal serve', () => {
  it('refuses an address that others reach without tokens', async () => {
    const { code, stderr } = await vicinal(['serve', 'titles.model', '--host', '0.0.0.0'])
    expect(code).toBe(2)
    expect(stderr).toContain('--token-file')
  })

  it('says which file is missing', async () => {
    const { code, stderr } = await vicinal(['serve', folder.at('missing.model')])
    expect(code).toBe(4)
    expect(stderr).toContain('missing.model')
  })

  it('refuses a token that can be guessed', async () => {
    const tokens = folder.file('tokens', 'secret\n')
    const { code, stderr } = await vicinal(['serve', 'titles.model', '--token-file', tokens])
    expect(code).toBe(3)
    expect(stderr).toContain('tokens:1')
  })
})
