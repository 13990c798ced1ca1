// The judge: squared distances of the images' bytes, which are whole numbers, so that no rounding decides. A row is right when
// it is no farther than the k-th neighbor: any choice among ties will do.

import type { DenseMatrix } from '@vicinal/core'

/** Stops early, with some distance beyond the limit. */
function squaredDistance(a: ArrayLike<number>, b: ArrayLike<number>, limit: number): number {
  let sum = 0
  for (let i = 0; i < a.length && sum <= limit; i++) sum += (a[i]! - b[i]!) ** 2
  return sum
}

/** Each query's squared distance to its k-th neighbor. */
function reach(rows: readonly ArrayLike<number>[], query: ArrayLike<number>, k: number): number {
  const best: number[] = new Array(k).fill(Number.POSITIVE_INFINITY)
  for (const row of rows) {
    const distance = squaredDistance(query, row, best[k - 1]!)
    if (distance < best[k - 1]!) {
      best[k - 1] = distance
      best.sort((a, b) => a - b)
    }
  }
  return best[k - 1]!
}

/** Gives the recall of answers, one list of rows a query. */
export function makeJudge(images: DenseMatrix, queryImages: DenseMatrix, k: number) {
  const [rows, queries] = [images, queryImages].map(matrix =>
    Array.from({ length: matrix.rows }, (_, i) => matrix.row(i)),
  )
  const reaches = queries!.map(query => reach(rows!, query, k))
  const isRight = (i: number, row: number) => squaredDistance(queries![i]!, rows![row]!, reaches[i]!) <= reaches[i]!
  return (answers: number[][]) => {
    const right = answers.flatMap((answer, i) => [...new Set(answer.slice(0, k))].filter(row => isRight(i, row)))
    return right.length / (answers.length * k)
  }
}
