// ForestIndex: dense rows by a forest, sketches and neighbor lists.

export { joinLinks, linkRow, linkRows, linkScratchBytes, mendLinks } from '../forest/links'
export { exactByCodes, exactByCodesBytes } from '../forest/exact-by-codes'
export { denseLeaves } from '../forest/route'
export { forestNear, forestScratchBytes, forestSearch, rankRows } from '../forest/search'
export { codeOrder, siftRows } from '../forest/sift'
export { productsWithShortAxes, shortenAxes } from '../forest/short-axes'
export { squareOf } from '../forest/square'
export { encodeSketches, sketchRows, spreadAlongAxes } from '../forest/sketch'
