// ExactIndex: dense rows, all computed.

export { exactScratchBytes, exactSearch } from '../exact'
