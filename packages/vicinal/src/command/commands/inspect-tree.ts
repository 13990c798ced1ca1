// `vicinal inspect --tree`: one tree of a model, as text, as an object, as a picture.

import { basename } from 'node:path'
import { type Classifier, type DescribedNode, EngineError, ForestClassifier, loadClassifier } from '@vicinal/core'
import { treeSvg, treeText } from '@vicinal/core/inspect'
import { treeDefaults, writeAtomically } from '@vicinal/core/internals'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../command-io.ts'
import { refuseTaken } from '../files/output-file.ts'
import { withModel } from '../files/with-model.ts'
import { wholeNumber } from '../flags/whole-number.ts'
import type { GlobalOptions } from '../program.ts'
import { formatCountOf } from '../terminal/quantity.ts'
import { oneLine } from '../terminal/table.ts'

/** The flags as commander parses them. */
export interface TreeFlags {
  readonly tree?: number
  readonly levels?: number
  readonly svg?: string
  readonly force?: boolean
}

const withTrees = 'Train one with --method gpt or --method forest.'

export function addTreeFlags(command: Command): Command {
  return command
    .option('--tree <n>', 'show this tree of a forest model; the first is 0', wholeNumber(0, 2 ** 32 - 1))
    .option('--levels <n>', `levels of the tree to show (default: ${treeDefaults.mostLevels})`, wholeNumber(1, 1000))
    .option('--svg <file>', 'also draw the tree to this file')
    .option('--force', 'overwrite the drawing')
}

/** Refuses flags for showing a tree if no tree is shown. */
export function refuseWithoutTree({ levels, svg }: TreeFlags): void {
  const flag = svg !== undefined ? '--svg' : levels !== undefined ? '--levels' : undefined
  if (flag === undefined) return
  throw new EngineError('INVALID_OPTION', `${flag} works only together with --tree`, {
    hint: 'Add --tree 0 for the first tree of a model.',
  })
}

export function refuseDataFile(file: string): never {
  throw new EngineError('INVALID_OPTION', 'not a model file, and --tree needs one', {
    where: { file },
    hint: withTrees,
  })
}

export async function inspectTree(
  file: string,
  tree: number,
  { levels: mostLevels = treeDefaults.mostLevels, svg, force, json }: TreeFlags & GlobalOptions,
  io: CommandIo,
): Promise<void> {
  if (svg !== undefined) await refuseTaken(svg, force)
  const root = await withModel(loadClassifier(file), model => describeTree(file, model, tree))
  if (json) printJson(io, root)
  else io.stdout.write(treeText(root, { mostLevels }))
  if (svg === undefined) return
  const picture = treeSvg(root, { title: `Tree ${tree} of ${oneLine(basename(file))}`, mostLevels })
  await writeAtomically(svg, { overwrite: force ?? false, signal: io.signal }, write => write(picture))
  io.stderr.write(`wrote ${oneLine(svg)}\n`)
}

function describeTree(file: string, model: Classifier, tree: number): DescribedNode {
  if (!(model instanceof ForestClassifier)) {
    throw new EngineError('INVALID_OPTION', `a model of the method ${model.method} has no trees to show`, {
      where: { file },
      hint: withTrees,
    })
  }
  if (tree < model.trees) return model.describeTree(tree)
  throw new EngineError(
    'INVALID_OPTION',
    `--tree is ${tree}, but the model has ${formatCountOf(model.trees, 'tree')}`,
    {
      where: { file },
      hint: `Choose one from 0 to ${model.trees - 1}.`,
    },
  )
}
