// BM25 (Robertson and Zaragoza 2009), field by field. A word adds to a document's score
//   boost · idf · (k1 + 1) · count / (count + k1 · (1 − b + b · length / mean length))
// for every field that has it; scores of fields are added.

/** The two constants of BM25. */
export interface Bm25 {
  /** How soon more of the same word stops to count: 0, at the first; the larger, the later. */
  readonly k1: number
  /** How much long fields are held back: 0, not at all; 1, in full. */
  readonly b: number
}

/** What rare words weigh, for a word in `having` of `documents` fields. Always above 0. */
export function inverseFrequency(documents: number, having: number): number {
  return Math.log(1 + (documents - having + 0.5) / (having + 0.5))
}

/** For a field of that mean length, what is added to the count: flat + slope · length. */
export function denominator({ k1, b }: Bm25, meanLength: number): { flat: number; slope: number } {
  return { flat: k1 * (1 - b), slope: meanLength === 0 ? 0 : (k1 * b) / meanLength }
}
