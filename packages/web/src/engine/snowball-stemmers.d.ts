// The library has no types of its own: what we use of it.

declare module 'snowball-stemmers' {
  const snowball: {
    algorithms(): string[]
    newStemmer(language: string): { stem(word: string): string }
  }
  export default snowball
}
