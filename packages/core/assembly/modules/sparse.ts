// InvertedIndex and SparseForestIndex: sparse rows by lists, and by a forest.

export { sparseForestBytes, sparseForestSearch } from '../forest/sparse-search'
export { invertedScratchBytes, invertedSearch } from '../inverted/search'
