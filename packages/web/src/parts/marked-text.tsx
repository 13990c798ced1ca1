// A text whose words that matter are marked.

import { marked } from './words.ts'

export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  const pieces = marked(text, words)
  return <>{pieces.map(piece => (piece.isMarked ? <mark>{piece.text}</mark> : piece.text))}</>
}
