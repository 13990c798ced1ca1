import { EngineError } from '@vicinal/core'
import { describe, expect, it } from 'vitest'
import { reportError } from './error.ts'

function report(error: unknown, env: Record<string, string> = {}, json = false): { code: number; stderr: string } {
  let stderr = ''
  const write = (text: string) => {
    stderr += text
  }
  const io = { stdout: { write }, stderr: { write }, env, signal: new AbortController().signal }
  const code = reportError(error, { ...io, stdin: new Blob().stream() }, json)
  return { code, stderr }
}

describe('reportError', () => {
  it('says on one line what was wrong and where, on another what to do', () => {
    const error = new EngineError('BAD_DATA', 'value "x",\nexpected a number', {
      where: { file: 'a.csv', line: 3, column: 7 },
      hint: 'Correct it, or leave such rows out with `skipBadRows`.',
    })
    expect(report(error)).toEqual({
      code: 3,
      stderr:
        'vicinal: a.csv:3:7: value "x", expected a number\n  hint: Correct it, or leave such rows out with --skip-bad-rows.\n',
    })
  })

  it('takes the exit code from the table of errors', () => {
    expect(report(new EngineError('FILE_EXISTS', 'a is there'))).toEqual({ code: 4, stderr: 'vicinal: a is there\n' })
    expect(report(new EngineError('ABORTED', 'stopped'))).toEqual({ code: 130, stderr: 'vicinal: stopped\n' })
  })

  it('calls everything else a bug, without a stack trace', () => {
    expect(report(new TypeError('x is not a function'))).toEqual({
      code: 1,
      stderr: `vicinal: unexpected failure: x is not a function
  hint: This is a bug in Vicinal. Please report it with the output of the same command under DEBUG=1.
`,
    })
    expect(report('thrown text').stderr).toMatch(/^vicinal: unexpected failure: thrown text\n/)
  })

  it('is one line of JSON for programs', () => {
    const where = { file: 'a.csv', line: 3 }
    const error = new EngineError('BAD_DATA', 'not a number', { where, hint: 'Use `skipBadRows`.' })
    const { code, stderr } = report(error, {}, true)
    expect(code).toBe(3)
    expect(stderr.endsWith('}\n')).toBe(true)
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'BAD_DATA', message: 'a.csv:3: not a number', hint: 'Use --skip-bad-rows.', where },
    })
    const bug = JSON.parse(report(new TypeError('x is not a function'), { DEBUG: '1' }, true).stderr)
    expect(bug.error).toMatchObject({ code: 'INTERNAL', stack: expect.stringMatching(/^TypeError: x is not/) })
  })

  it('prints the stack and its causes where DEBUG is set', () => {
    const { stderr } = report(new EngineError('INTERNAL', 'outer', { cause: new Error('inner') }), { DEBUG: '1' })
    expect(stderr).toMatch(/^vicinal: outer\nEngineError: outer\n {4}at [\s\S]*\ncaused by Error: inner\n {4}at /)
  })
})
