// The module's exports, one line a file. Kernels take byte addresses and counts, allocate nothing and keep no state, so that
// any number of threads can run them over one memory.

export * from './dense'
export * from './exact'
export { forestLabelBytes, forestLabels, forestReach } from './forest/labels'
export { fillLeaves, leafSizes } from './forest/leaves'
export { neighborPass, neighborScratchBytes } from './forest/neighbors'
export { forestLeaves } from './forest/route'
export { forestNear, forestScratchBytes, forestSearch, rankRows } from './forest/search'
export { codeOrder, siftRows } from './forest/sift'
export { encodeSketches, sketchRows, spreadAlongAxes } from './forest/sketch'
export { sparseForestBytes, sparseForestSearch } from './forest/sparse-search'
export { invertedScratchBytes, invertedSearch } from './inverted/search'
export * from './label/scores'
export * from './label/weights'
export * from './memory/keys'
export * from './memory/linear'
export * from './quantized'
export * from './select'
export * from './sparse'
export { growScratchBytes, growTree } from './trees/grow'

/** Where the arena may begin: behind the module's own constants. */
export function arenaStart(): usize {
  return __heap_base
}
