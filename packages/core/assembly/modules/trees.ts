// Growing trees and filling their leaves, to fit everything that has a forest.

export { fillLeaves, leafSizes } from '../forest/leaves'
export { growScratchBytes, growTree } from '../trees/grow'
