// Ceilings for the size of the code, near today's figures: files and functions stay small, folders stay short.

import { expect, it } from 'vitest'
// @ts-expect-error: a plain script without types
import { codeSize, functionLines, median } from '../tools/code-size.mjs'

const size = codeSize()

it('keeps the median file at 76 lines or fewer (measured: 74)', () => {
  expect(size.files).toBeGreaterThan(400)
  expect(size.medianFileLines).toBeLessThanOrEqual(76)
})

it('keeps the median function at 6 lines or fewer (measured: 6)', () => {
  expect(size.functions).toBeGreaterThan(2_000)
  expect(size.medianFunctionLines).toBeLessThanOrEqual(6)
})

it('keeps every folder at 20 files or fewer, not counting tests (measured: 18)', () => {
  expect(size.fullestFolder.files, size.fullestFolder.folder).toBeLessThanOrEqual(20)
})

it('counts the lines of functions and methods, nested ones too', () => {
  const text =
    'function a() {\n  const b = () => {\n    return 1\n  }\n  return b\n}\nclass C {\n  d(): void {}\n}\nconst e = () => 2\n'
  expect(functionLines('x.ts', text)).toEqual([6, 3, 1])
  expect(median([5, 1, 9])).toBe(5)
  expect(median([1, 2, 3, 4])).toBe(2)
})
