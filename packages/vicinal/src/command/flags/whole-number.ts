// Reads the whole numbers that flags take.

import { InvalidArgumentError } from 'commander'

/** A parser for whole numbers from `least` to `most`, for commander's options. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return text => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`)
  }
}
