// Growers by number (blocks/growth.ts). A new one is a file in growers/, a number there, and a line here.

import {
  cellsKernel, chronologicalKernel, classificationKernel, directionsKernel, graphKernel, Growth, kdKernel, pcaKernel,
} from '../blocks/growth'
import { Node } from './grower'
import { cells } from './growers/cells'
import { chronological } from './growers/chronological'
import { classification } from './growers/classification'
import { directions } from './growers/directions'
import { graph } from './growers/graph'
import { kd } from './growers/kd'
import { pca } from './growers/pca'

/** The answer of the block's grower: see grower.ts. */
export function askGrower(question: u32, block: Growth, node: Node): usize {
  const number = block.grower
  if (number == kdKernel) return kd(question, block, node)
  if (number == chronologicalKernel) return chronological(question, block, node)
  if (number == directionsKernel) return directions(question, block, node)
  if (number == pcaKernel) return pca(question, block, node)
  if (number == classificationKernel) return classification(question, block, node)
  if (number == graphKernel) return graph(question, block, node)
  if (number == cellsKernel) return cells(question, block, node)
  return unreachable()
}
