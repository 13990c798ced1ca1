// BM25 in full, in plain JavaScript: every text that has a word of the query is scored. What rankings are compared with.

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

export class PlainBm25 {
  readonly #postings = new Map<string, Map<number, number>>()
  readonly #lengths: number[]
  readonly #mean: number

  constructor(texts: readonly string[]) {
    this.#lengths = texts.map((text, row) => {
      const words = wordsOf(text)
      for (const word of words) {
        const rows = this.#postings.get(word) ?? new Map<number, number>()
        rows.set(row, (rows.get(row) ?? 0) + 1)
        this.#postings.set(word, rows)
      }
      return words.length
    })
    this.#mean = this.#lengths.reduce((sum, length) => sum + length, 0) / texts.length
  }

  /** The score of every text that has a word. */
  scores(query: string): Map<number, number> {
    const scores = new Map<number, number>()
    const asked = wordsOf(query)
    for (const word of new Set(asked)) {
      const times = asked.filter(other => other === word).length
      const rows = this.#postings.get(word)
      if (!rows) continue
      const idf = Math.log(1 + (this.#lengths.length - rows.size + 0.5) / (rows.size + 0.5))
      for (const [row, count] of rows) {
        const length = this.#lengths[row] ?? 0
        const part = (times * idf * 2.2 * count) / (count + 1.2 * (0.25 + (0.75 * length) / this.#mean))
        scores.set(row, (scores.get(row) ?? 0) + part)
      }
    }
    return scores
  }
}

/** The share of the found that score as well as the k-th best: ties are as good. */
export function overlap(found: readonly number[], scores: Map<number, number>, k: number): number {
  const best = Float64Array.from(scores.values()).sort().reverse().slice(0, k)
  if (best.length === 0) return 1
  const least = (best.at(-1) ?? 0) * (1 - 1e-6)
  return found.slice(0, k).filter(row => (scores.get(row) ?? 0) >= least).length / best.length
}
