// Lists of row numbers.

/** 0, 1, 2 and so on, `count` of them. */
export function rowNumbersTo(count: number): Uint32Array {
  const rows = new Uint32Array(count)
  for (let row = 0; row < count; row++) rows[row] = row
  return rows
}

/** The rows that have entries, ascending. */
export function filledRows({ rows, offsets }: { rows: number; offsets: ArrayLike<number> }): Uint32Array {
  return rowNumbersTo(rows).filter(row => offsets[row] < offsets[row + 1])
}
