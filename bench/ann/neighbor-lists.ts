import { type DenseMatrix, ForestIndex, type NeighborLists } from 'vicinal'

/** Of all rows, found once for all forests by a thorough one. */
export async function neighborLists(rows: DenseMatrix, length = 25): Promise<NeighborLists> {
  const index = await ForestIndex.fit(rows, { k: length, targetRecall: 0 })
  const { rows: found, counts } = await index.searchBatch(rows, { k: length })
  index.free()
  return { k: length, rows: found, counts }
}
