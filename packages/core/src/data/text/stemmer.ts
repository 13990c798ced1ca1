// The stemmers a text pipeline can name. Core has only 'none'; others are registered, and found by name when a pipeline is
// fitted or loaded, so that a model file holds a name and not code.

import { EngineError, shown } from '../../errors.ts'
import { checkFunction, checkObject, checkText } from '../../options.ts'

/** Reduces a word to its stem. The same word always gives the same stem. */
export interface Stemmer {
  /** The word used in options: 'english'. */
  readonly name: string
  /** `word` is lower case, in Unicode form NFKC. */
  stem(word: string): string
}

const stemmers = new Map<string, Stemmer>([['none', { name: 'none', stem: word => word }]])

/** Registers a stemmer under its name, replacing any earlier one. */
export function registerStemmer(stemmer: Stemmer): void {
  checkObject('stemmer', stemmer, 'an object with a name and a stem function')
  checkText('stemmer.name', stemmer.name)
  checkFunction('stemmer.stem', stemmer.stem)
  stemmers.set(stemmer.name, stemmer)
}

/** The stemmer of that name. */
export function findStemmer(name: string): Stemmer {
  const found = stemmers.get(name)
  if (found) return found
  const names = [...stemmers.keys()].sort().join(', ')
  throw new EngineError('UNKNOWN_NAME', `stemmer is ${shown(name)}, expected one of ${names}`, {
    hint: "Import 'vicinal', which brings the Snowball stemmers, or call registerStemmer with your own.",
  })
}
