// InvertedIndex and SparseForestIndex: sparse rows by lists, and by a forest.

export { sparseLeaves } from '../forest/route'
export { sparseForestBytes, sparseForestSearch } from '../forest/sparse-search'
export { invertedScratchBytes, invertedSearch } from '../inverted/search'
