// Randomized k-d trees (Silpa-Anan and Hartley): a node is halved on one of its widest axes, drawn at random.

import { kdKernel } from '../kernels/generated/blocks/growth.ts'
import type { Grower } from './grower.ts'

export const kdGrower: Grower = {
  name: 'kd',
  kernel: kdKernel,
  usesLabels: false,
  takesSparse: true,
  spareLevels: 3,
  splits: () => 'axis',
  axes: ({ axes = 0 }, dims) => Math.min(axes || 5, dims),
}
