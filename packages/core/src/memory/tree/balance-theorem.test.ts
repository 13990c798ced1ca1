// Theorem 3.3 of paper 002: a router with a progressive training error of p over T inserts has at least a share of
// (1 − p) / (1 + e^((1 − α) / α)) − 1 / T of its memories on either side. Both sides count one memory more, as in the proof (A.3).

import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { type Learner, logisticLearner, squaredLearner } from '../learning/learner.ts'
import { LinearModel } from '../learning/linear-model.ts'
import { bareTree, drawnRows } from '../memory.cases.ts'
import { countOf, isLeaf, nodesBelow } from './tree-node.ts'

const engine = new Engine()
afterAll(() => engine.close())

/** Calls `work` and counts, of every router, how often it was wrong right after it had learned. */
function countingMistakes(learner: Learner, work: (watched: Learner) => void): WeakMap<LinearModel, number> {
  const mistakes = new WeakMap<LinearModel, number>()
  let target = 0
  const watched: Learner = {
    name: 'watched',
    gradient: (sum, wanted, kernels) => {
      target = wanted
      return learner.gradient(sum, wanted, kernels)
    },
  }
  const step = LinearModel.prototype.step
  const spy = vi.spyOn(LinearModel.prototype, 'step').mockImplementation(function (this: LinearModel, key, ...rest) {
    step.call(this, key, ...rest)
    const isWrong = this.sum(key) > 0 !== target > 0
    mistakes.set(this, (mistakes.get(this) ?? 0) + Number(isWrong))
  })
  try {
    work(watched)
  } finally {
    spy.mockRestore()
  }
  return mistakes
}

describe('the balance of a memory tree', () => {
  it.each([logisticLearner, squaredLearner])('is at least what theorem 3.3 promises ($name)', learner => {
    fc.assert(
      fc.property(fc.nat(1000), fc.constantFrom(0.3, 0.5, 0.7, 0.9, 1), fc.boolean(), (seed, balance, alike) => {
        const rows = drawnRows(seed, 400, 60, 6)
        // Keys that hardly differ: the router cannot tell them apart.
        const similar = rows.map((_, i) => ({
          indices: Uint32Array.of(0, 1 + ((i * 7 + seed) % 40)),
          values: Float32Array.of(1, 0.05),
        }))
        let inner = 0
        let root: ReturnType<typeof bareTree>['tree']['root'] | undefined
        const mistakes = countingMistakes(learner, watched => {
          const { tree, keys } = bareTree(engine, { balance, learner: watched, leafFactor: 4 })
          for (const [slot, row] of (alike ? similar : rows).entries()) {
            keys.add(row)
            tree.insert(slot)
          }
          root = tree.root
        })
        for (const node of root ? nodesBelow(root) : []) {
          if (isLeaf(node)) continue
          inner++
          const [left, right] = [countOf(node.left) + 1, countOf(node.right) + 1]
          const all = left + right
          const correct = 1 - (mistakes.get(node.router) ?? 0) / all
          const bound = correct / (1 + Math.exp((1 - balance) / balance)) - 1 / all
          expect(Math.min(left, right) / all).toBeGreaterThanOrEqual(bound - 1e-12)
        }
        expect(inner).toBeGreaterThan(0)
      }),
      { numRuns: 25 },
    )
  })
})
