// A sparse forest index as the contents of a model file, and back: the inverted index plus the forest's arrays. What
// could lead a kernel out of its arrays is refused.

import { EngineError } from '../../errors.ts'
import type { ForestArrays, ForestParts } from '../../forest/forest.ts'
import { forestArrays, forestFault, forestMeta, forestTensors } from '../../forest/forest-contents.ts'
import { requireMethod } from '../../model-kinds.ts'
import type { ModelContents } from '../../store/header.ts'
import { type SparseForestSettings, sparseForestSettings } from './options.ts'

export const sparseForestMethod = 'sparse-forest'

/** `lists` is what the inverted index packed. */
export function packSparseForest(
  lists: ModelContents,
  forest: ForestParts,
  settings: SparseForestSettings,
): ModelContents {
  return {
    method: sparseForestMethod,
    options: { ...settings },
    meta: { ...lists.meta, forest: forestMeta(forest) },
    tensors: { ...lists.tensors, ...forestTensors(forest) },
  }
}

interface LoadedSparseForest {
  readonly settings: SparseForestSettings
  readonly forest: ForestArrays
  /** What the inverted index unpacks, and checks. */
  readonly lists: ModelContents
}

/** `name` is what messages call the source. */
export function unpackSparseForest(contents: ModelContents, name: string): LoadedSparseForest {
  const fail = (fault: string, cause?: unknown) =>
    new EngineError('MODEL_DAMAGED', `${name} is not a valid sparse forest: ${fault}`, { cause })
  requireMethod(contents, name, sparseForestMethod)
  const settings = settingsOf(contents, fail)
  const forest = forestArrays(contents, fail)
  const { splits, dims, labels, trees } = forest
  const { rows, columns } = contents.meta
  // Rows that were added may have features that the trees do not know.
  const knows = typeof columns === 'number' && dims <= columns
  const isOwn = splits === 'sparse' && knows && labels === rows && trees === settings.trees
  const fault = isOwn ? forestFault(forest) : 'its trees were grown for other rows'
  if (fault) throw fail(fault)
  // How the lists are parted matters to an algorithm that this index does not use.
  const lists = { ...contents, method: 'inverted', options: { metric: settings.metric, partitionBest: 100 } }
  return { settings, forest, lists }
}

function settingsOf({ options }: ModelContents, fail: (fault: string, cause: unknown) => EngineError) {
  try {
    return sparseForestSettings(options)
  } catch (cause) {
    throw fail(cause instanceof Error ? cause.message : String(cause), cause)
  }
}
