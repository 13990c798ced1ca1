// A map of labels: those with similar rows are near each other.

import { EngineError } from '../errors.ts'
import type { Classifier, NamedLabel } from '../label/classifier.ts'
import { inTurns, type LongWork } from '../long-work.ts'
import { checkFunction, checkObject, checkOptions, checkWhole, optionTable, workChecks } from '../options.ts'
import { labelSimilarities, similaritiesByDistance } from './label-similarities.ts'
import { placePoints, rounds, type Similarities } from './layout.ts'

/** Options of `mapLabels`. */
export interface LabelMapOptions extends LongWork {
  /** How many labels at most: those with the most rows. Default 300, at most 1000: time grows with the square. */
  readonly limit?: number
}

/** A label and its place on the map. */
export interface LabelPoint extends NamedLabel {
  /** Training rows that have it. */
  readonly rows: number
  /** From −1 to 1. */
  readonly x: number
  readonly y: number
}

const mapOptions = optionTable<LabelMapOptions>({
  limit: (name, value) => checkWhole(name, value, 1, 1000),
  ...workChecks,
})

/** Places the most frequent labels of a classifier in two dimensions, similar ones near each other. The most frequent come first. */
export async function mapLabels(classifier: Classifier, options: LabelMapOptions = {}): Promise<LabelPoint[]> {
  checkOptions(options, mapOptions)
  checkObject('classifier', classifier, 'a classifier')
  checkFunction('classifier.labelCounts', classifier.labelCounts)
  const { limit = 300, ...work } = options
  const counts = classifier.labelCounts()
  const { labels, similarities } = comparedLabels(classifier, mostFrequent(counts, limit))
  if (labels.length === 0) return []
  const places = await inTurns(placePoints(similarities), work, { what: 'placing labels', total: rounds })
  return labels.map((label, i) => {
    const id = classifier.labelNames[label]
    const name = classifier.vocabulary?.nameOf(id)
    const named = name === undefined ? { label: id } : { label: id, name }
    return { ...named, rows: counts[label], x: places[2 * i], y: places[2 * i + 1] }
  })
}

interface ComparedLabels {
  readonly labels: readonly number[]
  readonly similarities: Similarities
}

function comparedLabels(classifier: Classifier, labels: readonly number[]): ComparedLabels {
  if (classifier.labelVectors) return { labels, similarities: labelSimilarities(classifier.labelVectors(labels)) }
  if (classifier.labelDistances) return labelsByDistance(labels, classifier.labelDistances(labels))
  throw new EngineError('UNSUPPORTED', `a model of the method ${classifier.method} has no map of its labels`, {
    hint: 'Give the classifier labelVectors() or labelDistances().',
  })
}

/** Without the labels of which nothing is kept. */
function labelsByDistance(labels: readonly number[], squared: Float64Array): ComparedLabels {
  const isKept = (i: number) => !Number.isNaN(squared[i * labels.length + i])
  const kept = Array.from(labels.keys()).filter(isKept)
  const values = kept.flatMap(a => kept.map(b => squared[a * labels.length + b]))
  return {
    labels: kept.map(i => labels[i]),
    similarities: similaritiesByDistance(Float64Array.from(values), kept.length),
  }
}

function mostFrequent(counts: Float64Array, limit: number): number[] {
  const labels = Array.from(counts.keys()).filter(label => counts[label] > 0)
  return labels.sort((a, b) => counts[b] - counts[a] || a - b).slice(0, limit)
}
