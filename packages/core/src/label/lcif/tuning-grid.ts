// The values that tuning of LcifClassifier tries for an option, if the caller names them.

import { EngineError } from '../../errors.ts'
import { checkedLater, checkOptions, optionTable } from '../../options.ts'
import { type LcifOptions, resolveLcifOptions } from './options.ts'

/** Values to try for each option. Tuning starts with the first of each. Options you leave out have default lists. */
export interface LcifGrid {
  readonly neighbors?: readonly number[]
  readonly neighborPower?: readonly number[]
  readonly featurePower?: readonly number[]
  readonly mix?: readonly number[]
}

const gridNames = ['neighbors', 'neighborPower', 'featurePower', 'mix'] as const

/** The grids of section 5.1 of the LCIF paper, defaults first. */
export const lcifPaperGrid: LcifGrid = Object.freeze({
  neighbors: [100, 1, 5, 50, 150, 200, 250, 300, 350],
  neighborPower: [1, 0.5, 1.5, 2],
  featurePower: [1, 0.5, 1.5, 2],
  mix: [0.5, 0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1],
})

const gridOptions = optionTable<LcifGrid>({
  ...{ neighbors: checkedLater, neighborPower: checkedLater, featurePower: checkedLater, mix: checkedLater },
})

export function checkGrid(grid: LcifGrid, fixed: LcifOptions): void {
  checkOptions(grid, gridOptions)
  for (const name of gridNames) {
    const values = grid[name]
    if (values === undefined) continue
    if (!Array.isArray(values) || values.length === 0) {
      throw new EngineError('INVALID_OPTION', `grid.${name} is ${JSON.stringify(values)}, expected a list of values`)
    }
    if (fixed[name] !== undefined) {
      throw new EngineError('INVALID_OPTION', `${name} is ${fixed[name]}, and grid.${name} has values to try`, {
        hint: 'Give only one of the two: an option that you set is not tuned.',
      })
    }
    for (const value of values) resolveLcifOptions({ [name]: value })
  }
}

/** The first values: tuning starts with them. */
export function firstOf(grid: LcifGrid): Pick<LcifOptions, (typeof gridNames)[number]> {
  return Object.fromEntries(gridNames.filter(name => grid[name]).map(name => [name, grid[name]?.[0]]))
}
