// Randomized k-d trees (Silpa-Anan and Hartley): a node is halved on one of its widest axes, drawn at random.

import type { Grower } from './grower.ts'

export const kdGrower: Grower = {
  name: 'kd',
  kernel: 0,
  usesLabels: false,
  takesSparse: true,
  splits: () => 'axis',
  axes: ({ axes = 0 }, dims) => Math.min(axes || 5, dims),
}
