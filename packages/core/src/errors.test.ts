import { describe, expect, it } from 'vitest'
import { assert, EngineError, errorTable, throwIfAborted } from './errors.ts'

describe('errors', () => {
  it('have pinned codes, statuses and exit codes', () => {
    const pinned = Object.entries(errorTable).map(([code, { status, exit }]) => `${code} ${status} ${exit}`)
    expect(pinned).toEqual([
      'INVALID_OPTION 400 2',
      'UNKNOWN_NAME 400 2',
      'UNSUPPORTED 501 2',
      'BAD_DATA 422 3',
      'DIMENSION_MISMATCH 422 3',
      'EMPTY_DATA 422 3',
      'OUT_OF_MEMORY 507 3',
      'FREED 500 2',
      'FILE_NOT_FOUND 404 4',
      'FILE_ACCESS 500 4',
      'FILE_EXISTS 409 4',
      'UNKNOWN_FORMAT 415 4',
      'MODEL_DAMAGED 422 4',
      'FORMAT_TOO_NEW 422 4',
      'ABORTED 499 130',
      'CALLBACK_FAILED 502 3',
      'WORKER_LOST 503 1',
      'INTERNAL 500 1',
    ])
  })

  it('begin with the place they happened at', () => {
    const where = { file: 'a.txt', line: 3, column: 7 }
    const error = new EngineError('BAD_DATA', 'expected a number', { where, hint: 'Mend it.' })
    expect(error.message).toBe('a.txt:3:7: expected a number')
    expect(new EngineError('BAD_DATA', 'is empty', { where: { file: 'a.txt' } }).message).toBe('a.txt: is empty')
    expect([error.code, error.status, error.exitCode, error.hint, error.where]).toEqual([
      'BAD_DATA',
      422,
      3,
      'Mend it.',
      where,
    ])
  })

  it('keep their cause', () => {
    const cause = new Error('disk')
    expect(new EngineError('FILE_ACCESS', 'cannot read', { cause }).cause).toBe(cause)
  })

  it('call our own bugs INTERNAL', () => {
    expect(() => assert(false, 'heap is empty')).toThrow(
      expect.objectContaining({ code: 'INTERNAL', message: 'heap is empty' }),
    )
    expect(() => assert(true, '')).not.toThrow()
  })

  it('turn a fired signal into ABORTED', () => {
    expect(() => throwIfAborted(AbortSignal.abort())).toThrow(expect.objectContaining({ code: 'ABORTED' }))
    expect(() => throwIfAborted(undefined)).not.toThrow()
  })
})
