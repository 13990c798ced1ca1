// Which forests tuning tries, one after the other, until one reaches the target.

import type { ForestFitOptions, ForestSettings } from '../options.ts'
import type { ForestShape, TuningQuestion } from '../tuning.ts'

/** What is changed about a forest if the target is not reached: trees miss less with larger leaves, then with more trees. */
const largerLeaves = 4
const moreTrees = 2
/** Walks start from few trees; if the target is not reached, from more. */
const walkTrees = [2, 8]

/** Options that the caller gave stay as they are. */
export function shapesOf(settings: ForestSettings, given: ForestFitOptions): TuningQuestion['shapes'] {
  const { trees, leafSize, links } = settings
  if (links === 0) return forestShapes(settings, given)
  const counts = given.trees === undefined ? walkTrees : [trees]
  const [first, ...others] = counts.map(count => ({ trees: count, leafSize, links }))
  return [first as ForestShape, ...others, ...forestShapes(settings, given)] // there is at least one
}

function forestShapes({ trees, leafSize }: ForestSettings, given: ForestFitOptions): TuningQuestion['shapes'] {
  const leaves = given.leafSize === undefined ? largerLeaves * leafSize : leafSize
  const more = given.trees === undefined ? moreTrees * trees : trees
  const links = 0
  const larger = { trees, leafSize: leaves, links }
  return [
    { trees, leafSize, links },
    ...(leaves === leafSize ? [] : [larger]),
    ...(more === trees ? [] : [{ ...larger, trees: more }]),
  ]
}
