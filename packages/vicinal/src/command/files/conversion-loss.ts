// What a format cannot hold. A conversion that would lose a part of the data is refused, unless that part is dropped
// by name.

import { type Dataset, EngineError } from '@vicinal/core'

/** The parts of a data set, as `--drop` names them. */
export const parts = ['ids', 'texts', 'features', 'feature-names', 'labels', 'label-names'] as const

export type Part = (typeof parts)[number]

type Kept = (dataset: Dataset) => readonly Part[]

const featuresOnly: Kept = () => ['features']

/** What each format that can be written keeps. Formats that are not listed (your own) are assumed to keep everything. */
export const keptParts: Readonly<Record<string, Kept>> = Object.freeze<Record<string, Kept>>({
  xmc: () => ['features', 'labels'],
  svmlight: ({ labelNames }) => ['features', 'labels', ...(areWords(labelNames) ? (['label-names'] as const) : [])],
  jsonl: () => ['ids', 'texts', 'features', 'labels', 'label-names'],
  csv: ({ texts }) => [
    'ids',
    'labels',
    'label-names',
    ...(texts ? (['texts'] as const) : (['features', 'feature-names'] as const)),
  ],
  npy: featuresOnly,
  fvecs: featuresOnly,
})

/** The data set without the parts; the names of labels and features go with them. */
export function dropParts(dataset: Dataset, dropped: readonly Part[]): Dataset {
  const { name, rows, ids, texts, features, featureNames, labels, labelNames, vocabulary, skipped } = dataset
  const keeps = (...needed: readonly Part[]) => !needed.some(part => dropped.includes(part))
  return {
    name,
    rows,
    ...(ids && keeps('ids') && { ids }),
    ...(texts && keeps('texts') && { texts }),
    ...(features && keeps('features') && { features }),
    ...(featureNames && keeps('features', 'feature-names') && { featureNames }),
    ...(labels && keeps('labels') && { labels }),
    ...(labelNames && keeps('labels', 'label-names') && { labelNames }),
    ...(vocabulary && keeps('labels', 'label-names') && { vocabulary }),
    ...(skipped && { skipped }),
  }
}

/** Refuses to write `dataset` in `format` if a part of it would be lost. */
export function refuseLoss(dataset: Dataset, format: string): void {
  const kept = keptParts[format]?.(dataset) ?? parts
  const given = partsOf(dataset)
  // If nothing would be left to write, dropping parts does not help: the writer reports what is missing.
  if (!given.some(part => kept.includes(part) && (part === 'features' || part === 'texts'))) return
  const lost = given.filter(part => !kept.includes(part))
  const named = lost.filter(part => !lost.some(other => part === `${other.replace(/s$/, '')}-names`))
  if (named.length === 0) return
  const why = named.includes('label-names') && format === 'svmlight' ? ` ${notWord(dataset)}` : ''
  throw new EngineError('INVALID_OPTION', `${format} files cannot hold the ${listOf(named)} of ${dataset.name}`, {
    hint: `To leave them out, add ${named.map(part => `--drop ${part}`).join(' ')}.${why}`,
  })
}

function partsOf({ ids, texts, features, featureNames, labels, labelNames }: Dataset): Part[] {
  const has: Record<Part, boolean> = {
    ids: ids !== undefined,
    texts: texts !== undefined,
    features: features !== undefined,
    'feature-names': tellMore(featureNames),
    labels: labels !== undefined,
    'label-names': tellMore(labelNames),
  }
  return parts.filter(part => has[part])
}

/** Whether names are more than the numbers 0, 1, 2 … */
function tellMore(names: readonly string[] | undefined): boolean {
  return names?.some((name, number) => name !== String(number)) ?? false
}

/** Whether svmlight can hold the names: they must not contain its separators. */
function areWords(names: readonly string[] | undefined): boolean {
  return names?.every(isWord) ?? false
}

function isWord(name: string): boolean {
  return /^[^\s,:#]+$/.test(name)
}

function notWord({ labelNames = [] }: Dataset): string {
  const example = JSON.stringify(labelNames.find(name => !isWord(name)))
  return `Label names there are single words without commas, colons and #, unlike ${example}.`
}

/** 'ids', 'ids and labels', 'ids, texts and labels'. */
function listOf(found: readonly Part[]): string {
  const words = found.map(part => part.replace('-', ' '))
  return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' and ')
}
