// What Node gets from `import … from 'vicinal'`: the engine with all its methods, the formats and stemmers that need a library, and the store
// that keeps a memory on disk. In pages, it is ./browser.ts.

import { registerFormat, registerVocabularyFormat } from '@vicinal/core/data'
import { libraryFormats } from './formats/index.ts'
import './stemmers.ts'
import { libraryVocabularies } from './vocabularies/index.ts'

for (const format of libraryFormats) registerFormat(format)
for (const format of libraryVocabularies) registerVocabularyFormat(format)

export * from '@vicinal/server'
export * from './engine.ts'
