// Finds a word that appears twice.

/** The first word that has already been there before, or undefined. */
export function firstRepeated(words: readonly string[]): string | undefined {
  const seen = new Set<string>()
  // A set's size grows with each new word only.
  return words.find(word => seen.size === seen.add(word).size)
}
