import { describe, expect, it } from 'vitest'
import { EngineError } from '../../errors.ts'
import { fileError } from './file-error.ts'

const failure = (code: string): Error => Object.assign(new Error('system'), { code })

describe('fileError', () => {
  it.each([
    ['ENOENT', 'FILE_NOT_FOUND', 'no such file'],
    ['ENOTDIR', 'FILE_NOT_FOUND', 'no such file'],
    ['EISDIR', 'FILE_ACCESS', 'is a directory'],
    ['EACCES', 'FILE_ACCESS', 'permission denied'],
    ['EPERM', 'FILE_ACCESS', 'permission denied'],
    ['ENOSPC', 'FILE_ACCESS', 'no space left'],
    ['EIO', 'FILE_ACCESS', 'system'],
  ])('turns %s into %s', (code, expected, words) => {
    const message = expect.stringMatching(new RegExp(`^a.txt: .*${words}`))
    expect(fileError('a.txt', failure(code))).toMatchObject({ code: expected, message })
  })

  it('keeps errors that are already ours', () => {
    const error = new EngineError('BAD_DATA', 'no')
    expect(fileError('a.txt', error)).toBe(error)
  })
})
