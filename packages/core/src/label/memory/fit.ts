// Fits MemoryClassifier: texts or vectors → rows of length 1 → one pass that stores them in random order → passes that
// teach by reward → thresholds.

import { type LabeledItems, labeledInTurns } from '../../data/given/labeled.ts'
import { chooseThresholds, type Thresholds } from '../../evaluate/thresholds.ts'
import type { Id } from '../../ids/id.ts'
import { defaultEngine } from '../../kernels/engine.ts'
import type { LongWork } from '../../long-work.ts'
import { eachInTurns } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import { MemoryTree } from '../../memory/memory-tree.ts'
import { Random } from '../../random.ts'
import { wellFormed } from '../../store/packed-strings.ts'
import { LabelNames } from '../label-names.ts'
import type { FitOptions } from '../options.ts'
import { rankedLabels } from '../rankings.ts'
import { learnReader } from '../reading/learn-reader.ts'
import { readTraining } from '../training-data.ts'
import { WorkUnderWay } from '../work-under-way.ts'
import { type LabeledRow, learnRow, storeRow } from './learn.ts'
import { freeMemoryModel, labelPlace, type MemoryLabelModel, rankLabels, rankMany } from './model.ts'
import { OneAgainstSome } from './one-against-some.ts'
import { type MemoryClassifierOptions, memoryOptionsOf, noTime, resolveMemoryClassifier } from './options.ts'

/** Nearest rows that vote when a scaling is chosen for dense rows: as few as memories find. */
const spaceNeighbors = 10

export async function fitMemoryModel(
  items: LabeledItems,
  options: MemoryClassifierOptions & FitOptions,
): Promise<MemoryLabelModel> {
  const { threads, engine = defaultEngine(), signal, onProgress } = options
  const resolved = resolveMemoryClassifier(options)
  const work = { signal, onProgress }
  const dataset = await labeledInTurns(items, work)
  const training = await readTraining(dataset, resolved.text, work)
  const { pipeline, labels, labelNames } = training
  const names = new LabelNames(labelNames, training.dataset.vocabulary)
  // Routers are linear: if all rows point to the same side, as rows without negative numbers do, routers cannot separate them.
  const space = { neighbors: spaceNeighbors, centered: true }
  const reading = { ...resolved, featureShare: 1, onlySeen: true, allowsEmpty: true, ...space }
  const distance = training.features instanceof DenseMatrix ? ('cosine' as const) : ('auto' as const)
  const learned = await learnReader(training, { ...reading, distance }, { ...options }, { engine, threads, ...work })
  const { reader, rows: weighted } = learned
  const { weighting = resolved.weighting, scaling = resolved.scaling } = learned.chosen
  const settings = Object.freeze({ ...resolved, weighting, scaling })
  const place = labelPlace(engine)
  const unfinished: MemoryLabelModel = {
    ...{ settings, ...reader, labelNames: names, thresholds: { single: 0 }, ...place },
    featureNames: pipeline ? undefined : dataset.featureNames,
    memory: MemoryTree.create({ ...memoryOptionsOf(settings), engine, clock: noTime }),
    bare: new Map(),
    nextId: labels.rows,
    underWay: new WorkUnderWay(),
    texts: settings.keepTexts && dataset.texts ? new Map() : undefined,
    labeler: hasLabeler(settings.inference, labels) ? new OneAgainstSome(place) : undefined,
  }
  const idOf = (row: number): Id => dataset.ids?.[row] ?? row
  const rows = Array.from({ length: labels.rows }, (_, i): LabeledRow => {
    unfinished.texts?.set(idOf(i), wellFormed(dataset.texts?.[i] ?? ''))
    return { id: idOf(i), row: weighted.row(i), labels: Array.from(labels.row(i)) }
  })
  try {
    await learnPasses(unfinished, rows, work)
    return { ...unfinished, thresholds: await fitThresholds(unfinished, rows, labels, work) }
  } catch (error) {
    freeMemoryModel(unfinished)
    throw error
  }
}

function hasLabeler(inference: MemoryLabelModel['settings']['inference'], labels: LabelMatrix): boolean {
  if (inference !== 'auto') return inference === 'one-against-some'
  return Array.from({ length: labels.rows }, (_, i) => labels.row(i).length).some(count => count !== 1)
}

async function learnPasses(model: MemoryLabelModel, rows: readonly LabeledRow[], work: LongWork): Promise<void> {
  const { passes, seed } = model.settings
  const order = new Random(seed).shuffle(Uint32Array.from(rows.keys()))
  await eachInTurns(passes * order.length, 'learning', work, i => {
    const row = rows[order[i % order.length]]
    if (i < order.length) storeRow(model, row)
    else learnRow(model, row)
  })
}

/** Chosen on training rows, each predicted without its own memory; what was learned from it stays. */
async function fitThresholds(
  model: MemoryLabelModel,
  rows: readonly LabeledRow[],
  labels: LabelMatrix,
  work: LongWork,
): Promise<Thresholds> {
  const { threshold, thresholdFactor: factor, thresholdTrust: trust, thresholdRows, seed } = model.settings
  if (typeof threshold === 'number') return { single: Math.fround(threshold) }
  const own = new Random(seed).sample(rows.length, Math.min(rows.length, thresholdRows))
  const top = rankedLabels(labels)
  const ranks: ReturnType<typeof rankLabels>[] = []
  await eachInTurns(own.length, 'choosing thresholds', work, i => {
    const { id, row } = rows[own[i]]
    ranks.push(rankLabels(model, row, top, id))
  })
  const ranked = rankMany(own.length, top, i => ranks[i])
  return chooseThresholds(threshold, ranked, labels.select(own), { factor, trust })
}
