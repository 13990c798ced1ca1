import * as fs from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { nodeModule, requireNodeModule } from './platform.ts'

describe('platform', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('finds the modules of Node', () => {
    expect(nodeModule('node:fs')?.readFileSync).toBe(fs.readFileSync)
    expect(requireNodeModule('node:fs', 'read a file').readFileSync).toBe(fs.readFileSync)
  })

  it('finds nothing in a browser, and says what cannot be done there', () => {
    vi.stubGlobal('process', undefined)
    expect(nodeModule('node:fs')).toBeUndefined()
    expect(() => requireNodeModule('node:fs', 'read a file')).toThrow('cannot read a file')
  })
})
