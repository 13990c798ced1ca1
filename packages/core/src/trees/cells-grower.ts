// Cells around centers: a node is split in two by k-means with two centers (bisecting k-means), and rows and queries go to the nearer
// center. Leaves are cells; the nearest cells beyond a query's own are probed, as with other trees. For rows in clusters whose spread no
// few axes describe.

import { cellsKernel } from '../kernels/generated/blocks/growth.ts'
import type { Grower } from './grower.ts'

export const cellsGrower: Grower = {
  name: 'cells',
  kernel: cellsKernel,
  usesLabels: false,
  takesSparse: false,
  spareLevels: 4,
  splits: () => 'node',
  axes: () => 1,
}
