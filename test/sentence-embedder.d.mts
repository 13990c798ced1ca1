/** Vectors of 512 numbers, of length 1. */
export function embed(texts: readonly string[]): Promise<number[][]>
