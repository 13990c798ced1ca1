import { expect, it } from 'vitest'
import { RowAttempts } from './row-attempts.ts'

it('passes any number of empty lines at the end of a file', () => {
  const attempts = new RowAttempts('a.csv', {})
  attempts.attempt(1, () => {})
  for (let line = 2; line < 3e6; line++) attempts.passEmptyLine(line)
  expect(attempts.finish(1)).toEqual({})
})

it('names the first of many empty lines', () => {
  const attempts = new RowAttempts('a.csv', {})
  for (let line = 2; line < 3e6; line++) attempts.passEmptyLine(line)
  expect(() => attempts.attempt(3e6, () => {})).toThrow('a.csv:2:1: the line is empty')
})

it('gives up when millions of rows are left out', () => {
  const attempts = new RowAttempts('a.csv', { skipBadRows: true })
  for (let line = 2; line < 3e6; line++) attempts.passEmptyLine(line)
  expect(() => attempts.attempt(3e6, () => {})).toThrow('a.csv: more than 1048576 rows are bad')
})
