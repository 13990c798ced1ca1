// BM25 (Robertson and Zaragoza 2009), field by field. A word adds to a document's score
//   boost · idf · (k1 + 1) · count / (count + k1 · (1 − b + b · length / mean length))
// for every field that has it; scores of fields are added.

/** The two constants of BM25. */
export interface Bm25 {
  /** Term saturation: at 0, repeats of a word add nothing; larger values count more repeats. */
  readonly k1: number
  /** Length normalization: 0 for none, 1 for full. */
  readonly b: number
}

/** The inverse document frequency of a word in `having` of `documents` fields. Always above 0. */
export function inverseFrequency(documents: number, having: number): number {
  return Math.log(1 + (documents - having + 0.5) / (having + 0.5))
}

/** For a field of that mean length, what is added to the count: flat + slope · length. */
export function denominator({ k1, b }: Bm25, meanLength: number): { flat: number; slope: number } {
  return { flat: k1 * (1 - b), slope: meanLength === 0 ? 0 : (k1 * b) / meanLength }
}
