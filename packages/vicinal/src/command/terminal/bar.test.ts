import { expect, it } from 'vitest'
import { bar } from './bar.ts'

it('bar draws a share in eighths of a character, and whatever is not nothing', () => {
  expect([0, 0.5, 0.53125, 1, 1e-9].map(share => bar(share, 4))).toEqual(['', '██', '██▏', '████', '▏'])
})
