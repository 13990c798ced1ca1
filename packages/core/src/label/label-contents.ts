// The labels of a model in its file: their ids, and their names in each language of the vocabulary.

import { ConceptTable } from '../data/vocabulary/concept-table.ts'
import { storedVocabulary, type Vocabulary } from '../data/vocabulary/vocabulary.ts'
import { packNames, type StoredParts } from '../store/stored-parts.ts'
import { type Tensor, tensor1d } from '../store/tensor.ts'
import { LabelNames } from './label-names.ts'

export function packLabelNames({ all, vocabulary }: LabelNames): Record<string, Tensor> {
  return { ...packNames('labelNames', all), ...(vocabulary && packVocabulary(vocabulary, all)) }
}

/** One list of names per language; '' means that the label has no name in it. */
function packVocabulary(vocabulary: Vocabulary, ids: readonly string[]): Record<string, Tensor> {
  const concepts = ids.map(id => vocabulary.concept(id))
  const languages = [...vocabulary.languages, '']
  const names = languages.map((language, i) => {
    return packNames(
      `names.${i}`,
      concepts.map(concept => (typeof concept?.names === 'object' ? (concept.names[language] ?? '') : '')),
    )
  })
  const deprecated = ids.flatMap((id, label) => (vocabulary.isDeprecated(id) ? [label] : []))
  return {
    ...packNames('nameLanguages', [vocabulary.language, ...languages]),
    ...Object.assign({}, ...names),
    ...(deprecated.length > 0 && { deprecatedLabels: tensor1d(Uint32Array.from(deprecated)) }),
    ...packIfAny(
      'notations',
      concepts.map(concept => concept?.notation),
    ),
    ...packIfAny(
      'replacements',
      concepts.map(concept => concept?.replacedBy),
    ),
  }
}

/** '' stands for none. */
function packIfAny(name: string, texts: readonly (string | undefined)[]): Record<string, Tensor> {
  if (texts.every(text => text === undefined)) return {}
  return packNames(
    name,
    texts.map(text => text ?? ''),
  )
}

export function storedLabelNames(stored: StoredParts): LabelNames {
  return stored.checked(() => {
    const ids = stored.names('labelNames') ?? []
    return new LabelNames(ids, vocabularyIn(stored, ids))
  })
}

function vocabularyIn(stored: StoredParts, ids: readonly string[]): Vocabulary | undefined {
  const [language, ...languages] = stored.names('nameLanguages') ?? []
  if (language === undefined) return undefined
  const concepts = new ConceptTable()
  const add = (label: number) => concepts.add(ids[label] ?? stored.refuse(`there is no label ${label}`))
  languages.forEach((spoken, i) => {
    stored.names(`names.${i}`, ids.length)?.forEach((name, label) => {
      if (name !== '') concepts.name(add(label), spoken, name)
    })
  })
  const deprecated = stored.has('deprecatedLabels') ? stored.array('deprecatedLabels', Uint32Array) : []
  for (const label of deprecated) concepts.deprecated.add(add(label))
  const eachText = (name: string, use: (concept: number, text: string) => void) =>
    stored.names(name, ids.length)?.forEach((text, label) => {
      if (text !== '') use(add(label), text)
    })
  eachText('notations', (concept, text) => concepts.notations.set(concept, text))
  eachText('replacements', (concept, text) => concepts.replacements.set(concept, text))
  return storedVocabulary(concepts, language)
}
