// The Snowball stemmers in a page: the same library as in Node.

import { registerStemmer } from '@vicinal/core'

export async function registerSnowball(): Promise<void> {
  const { default: snowball } = await import('snowball-stemmers')
  for (const name of snowball.algorithms()) {
    const stemmer = snowball.newStemmer(name)
    registerStemmer({ name, stem: word => stemmer.stem(word) })
  }
}
