// What comparing all rows costs, estimated from counts and not from a clock. The ratios to other ways of searching matter.

/** Nanoseconds a number, of rows that are read in order: a third of what scattered rows take; and of those that the caches hold. */
const orderedNanos = 0.25
const cachedNanos = 0.1
/** Numbers that the caches hold: 16 MB. */
const cachedNumbers = 4e6
/** Nanoseconds per row for reading the list. */
const listedNanos = 5

interface Shape {
  readonly rows: number
  readonly dims: number
}

/** Microseconds of comparing so many rows. */
export function exactMicros({ rows, dims }: Shape): number {
  return (orderedNanos * rows * dims) / 1000
}

/** The same of all rows of an index, one search after the other: rows that fit the caches stay there. */
export function wholeMicros({ rows, dims }: Shape): number {
  const numbers = rows * dims
  const cached = Math.min(numbers, cachedNumbers)
  return (cachedNanos * cached + orderedNanos * (numbers - cached)) / 1000
}

/** Lists of a larger share of the rows are compared as all rows are: see isDense in assembly/exact.ts. */
const denseShare = 5 / 12

/** Microseconds of comparing a listed share of the rows. */
export function listedMicros({ rows, dims }: Shape, share: number): number {
  const compared = share > denseShare ? rows : share * rows
  return exactMicros({ rows: compared, dims }) + (listedNanos * share * rows) / 1000
}
