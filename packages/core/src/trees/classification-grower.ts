// Classification trees (paper 000, section 8): a node is split where the labels of its rows are separated best, by multinomial
// log-likelihood under the pick-all-labels reduction, on one of a few axes drawn at random.

import { classificationKernel } from '../kernels/generated/blocks/growth.ts'
import type { Grower } from './grower.ts'

export const classificationGrower: Grower = {
  name: 'classification',
  kernel: classificationKernel,
  usesLabels: true,
  takesSparse: true,
  spareLevels: 3,
  splits: () => 'axis',
  axes: ({ axes = 0 }, dims) => Math.min(axes || Math.ceil(Math.sqrt(dims)), dims),
}
