// Which parts of a text a word of the model stands for. The model's words are lower-case, may be stems, and may be two words in a row.

export interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

const wordPattern = /[\p{L}\p{M}\p{N}]+/gu

/** The text in pieces, those marked that one of the words stands for. */
export function marked(text: string, words: readonly string[]): Piece[] {
  const found = [...text.matchAll(wordPattern)]
  const isMarked = new Array<boolean>(found.length).fill(false)
  for (const word of words) {
    const parts = word.toLowerCase().match(wordPattern) ?? []
    for (let i = 0; parts.length > 0 && i + parts.length <= found.length; i++) {
      if (parts.every((part, j) => standsFor(part, found[i + j]?.[0] ?? ''))) isMarked.fill(true, i, i + parts.length)
    }
  }
  return pieces(text, found, isMarked)
}

/** Stems are at least three letters, and words at most five letters longer. */
function standsFor(part: string, word: string): boolean {
  const lower = word.toLowerCase()
  return lower === part || (part.length >= 3 && lower.startsWith(part) && lower.length - part.length <= 5)
}

function pieces(text: string, found: readonly RegExpMatchArray[], isMarked: readonly boolean[]): Piece[] {
  const result: Piece[] = []
  let end = 0
  found.forEach((match, i) => {
    if (!isMarked[i]) return
    const start = match.index ?? 0
    if (start > end) result.push({ text: text.slice(end, start), isMarked: false })
    end = start + match[0].length
    result.push({ text: match[0], isMarked: true })
  })
  if (end < text.length) result.push({ text: text.slice(end), isMarked: false })
  return result
}

/** The words that matter among the reasons: those with at least a twentieth of the share of the first. */
export function tellingWords<Reason extends { readonly share: number }>(features: readonly Reason[]): Reason[] {
  const most = features[0]?.share ?? 0
  return features.filter(({ share }) => share >= most / 20)
}
