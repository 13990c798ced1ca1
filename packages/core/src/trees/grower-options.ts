// The options of growers, and their checks.

import { checkNumber, checkRange, checkWhole, checkWord } from '../options.ts'

/** Options of all growers. A grower ignores those it does not use. */
export interface GrowerOptions {
  /**
   * How many axes a node chooses from: for 'kd' the widest, for 'classification' random ones. Default 0: 5 for kd, √dims for
   * classification.
   */
  readonly axes?: number
  /** How many of a node's rows are looked at to choose a split. Default 100. */
  readonly sampleRows?: number
  /** Share of a random direction's entries that are not zero. Default 0: 1 / √dims. */
  readonly density?: number
  /** Principal directions per node, or one per level of a tree, which routes faster. Default 'node'. */
  readonly pcaScope?: 'node' | 'level'
  /** 'graph': how many neighbors in label space each row pulls to its own side of the hyperplane. Default 10. */
  readonly graphNeighbors?: number
  /** 'graph': how many rows, drawn at random, each row pushes to the other side, so that neither gets all. Default 10. */
  readonly negatives?: number
  /** 'graph': passes over a node's rows to find its hyperplane. Default 10. */
  readonly epochs?: number
  /**
   * 'graph': the most rows visited per epoch; larger nodes visit a different sample each time. Default 0: 200, or more if rows
   * are so sparse that it takes more to see every feature several times.
   */
  readonly epochRows?: number
  /** 'graph': only labels with fewer rows in the node than this define neighbors (n_th). Default 50. */
  readonly tailThreshold?: number
  /** 'graph': L1 penalty on the weights (λ). Higher values give smaller trees and larger leaves. Default 4; less if a classifier has few rows. */
  readonly l1?: number
  /** 'graph': learning rate (η₀). Default 0.1. */
  readonly learningRate?: number
}

/** The default options. */
export const growerDefaults: Required<GrowerOptions> = Object.freeze({
  axes: 0,
  sampleRows: 100,
  density: 0,
  pcaScope: 'node',
  graphNeighbors: 10,
  negatives: 10,
  epochs: 10,
  epochRows: 0,
  tailThreshold: 50,
  l1: 4,
  learningRate: 0.1,
})

const wholeRanges = {
  axes: [0, 65_536],
  sampleRows: [2, 65_536],
  graphNeighbors: [1, 1000],
  negatives: [0, 1000],
  epochs: [1, 1000],
  epochRows: [0, 2 ** 31],
  tailThreshold: [2, 2 ** 31],
} as const

/** Refuses values that no grower allows. */
export function checkGrowerOptions(options: Required<GrowerOptions>): void {
  for (const [name, [least, most]] of Object.entries(wholeRanges)) {
    checkWhole(name, options[name as keyof typeof wholeRanges], least, most)
  }
  checkRange('density', options.density, 1)
  checkRange('l1', options.l1, 1e6)
  const isRate = (rate: number) => rate > 0 && rate <= 1000
  checkNumber('learningRate', options.learningRate, isRate, 'a number above 0 and at most 1000')
  checkWord('pcaScope', options.pcaScope, ['node', 'level'])
}
