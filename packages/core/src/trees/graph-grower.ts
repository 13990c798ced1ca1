// Graph partitioning trees (paper 001): a node is split by a hyperplane that keeps rows with similar labels together. For classifiers
// labels are those of the rows; for search they are a row's nearest neighbors, and neighbors stay together.

import { graphKernel } from '../kernels/generated/blocks/growth.ts'
import type { Grower } from './grower.ts'

export const graphGrower: Grower = {
  name: 'graph',
  kernel: graphKernel,
  usesLabels: true,
  takesSparse: true,
  spareLevels: 3,
  splits: () => 'node',
  axes: () => 1,
}
