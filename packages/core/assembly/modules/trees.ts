// Growing trees and filling their leaves, for everything that has a forest.

export { fillLeaves, leafSizes } from '../forest/leaves'
export { forestLeaves } from '../forest/route'
export { growScratchBytes, growTree } from '../trees/grow'
