// How rows are divided into those that a trial learns from and those it is evaluated on.

import { rowNumbersTo } from '../../matrix/row-numbers.ts'
import type { Random } from '../../random.ts'

/**
 * The rows to evaluate on, and the rows of the model; without `training`, all rows, leave-one-out. The rows to evaluate on are in random
 * order: neighboring rows of a file are often similar, and some measures are taken chunk by chunk.
 */
export interface Split {
  readonly queries: Uint32Array
  readonly training: Uint32Array | undefined
}

/** Each of `sample` rows is left out in turn. */
export function leaveOneOut(rows: number, sample: number, random: Random): Split[] {
  return [{ queries: random.shuffle(random.sample(rows, Math.min(rows, sample))), training: undefined }]
}

/** `sample` rows, at most a third, are held out. */
export function holdOut(rows: number, sample: number, random: Random): Split[] {
  const queries = random.shuffle(random.sample(rows, Math.min(Math.floor(rows / 3), sample)))
  return [{ queries, training: withoutRows(rows, queries) }]
}

/** Every row is in one of the folds; each fold is held out once. */
export function crossValidate(rows: number, folds: number, random: Random): Split[] {
  const order = random.shuffle(rowNumbersTo(rows))
  return Array.from({ length: folds }, (_, fold) => {
    const queries = order.filter((_, place) => place % folds === fold)
    return { queries, training: withoutRows(rows, queries) }
  }).filter(({ queries }) => queries.length > 0)
}

function withoutRows(rows: number, left: Uint32Array): Uint32Array {
  const out = new Uint8Array(rows)
  for (const row of left) out[row] = 1
  return Uint32Array.from(out.keys()).filter(row => out[row] === 0)
}
