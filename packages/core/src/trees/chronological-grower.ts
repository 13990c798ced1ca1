// Chronological k-d trees (Bentley; paper 000, section 7.2): the axes in turn, one per level, at the median. All trees of a forest
// are the same, so one is enough. The paper's consistency theorem is about this tree.

import { chronologicalKernel } from '../kernels/generated/blocks/growth.ts'
import type { Grower } from './grower.ts'

export const chronologicalGrower: Grower = {
  name: 'chronological',
  kernel: chronologicalKernel,
  usesLabels: false,
  takesSparse: false,
  spareLevels: 3,
  splits: () => 'axis',
  axes: () => 1,
}
