// Collection: words ranked by BM25.

export { textMatches } from '../text/matches'
export { textScratchBytes, textSearch } from '../text/search'
