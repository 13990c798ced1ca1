// Classification trees: src/trees/classification-grower.ts.

import { Growth } from '../../blocks/growth'
import { classificationBytes, prepareClassification, splitClassification } from '../classification'
import { Node, prepareTree, ready, workBytes } from '../grower'

export function classification(question: u32, block: Growth, node: Node): usize {
  if (question == workBytes) return classificationBytes(block)
  if (question != prepareTree) return splitClassification(block, node)
  prepareClassification(block, node.work)
  return ready
}
