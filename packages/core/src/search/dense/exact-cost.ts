// What comparing all rows costs, estimated from counts and not from a clock. The ratios to other ways of searching matter.

/** Nanoseconds a number, of rows that are read in order: a third of what scattered rows take. */
const orderedNanos = 0.25
/** Nanoseconds per row for reading the list. */
const listedNanos = 5

interface Shape {
  readonly rows: number
  readonly dims: number
}

/** Microseconds of comparing all rows. */
export function exactMicros({ rows, dims }: Shape): number {
  return (orderedNanos * rows * dims) / 1000
}

/** Lists of a larger share of the rows are compared as all rows are: see isDense in assembly/exact.ts. */
const denseShare = 5 / 12

/** Microseconds of comparing a listed share of the rows. */
export function listedMicros({ rows, dims }: Shape, share: number): number {
  const compared = share > denseShare ? rows : share * rows
  return exactMicros({ rows: compared, dims }) + (listedNanos * share * rows) / 1000
}
