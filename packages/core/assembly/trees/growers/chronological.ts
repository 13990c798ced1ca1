// Chronological k-d trees: src/trees/chronological-grower.ts.

import { Growth } from '../../blocks/growth'
import { splitChronological } from '../chronological'
import { Node, prepareTree, ready, workBytes } from '../grower'

export function chronological(question: u32, block: Growth, node: Node): usize {
  if (question == workBytes) return 0
  return question == prepareTree ? ready : splitChronological(block, node)
}
