// Batches whose queries are still being read: long lists are read with pauses. A batch answers for the index as it was when it was asked, so
// those that wait begin at once when the index is about to change.

import { type DenseItems, denseRowsInSteps } from '../../data/given/rows.ts'
import { finish, type LongWork, Pauses } from '../../long-work.ts'
import type { DenseNumbers } from '../../matrix/dense-values.ts'

export class WaitingBatches {
  readonly #begin = new Set<() => void>()

  /** Reads the queries, and answers them. A matrix is answered before the first pause: it may change then. */
  async answer<Answers>(
    given: DenseItems,
    dims: number,
    { signal }: LongWork,
    answer: (queries: DenseNumbers) => Promise<Answers>,
  ): Promise<Answers> {
    const [steps, pauses] = [denseRowsInSteps(given, 'query', dims), new Pauses({ signal })]
    let answers: Promise<Answers> | undefined
    const begin = () => {
      this.#begin.delete(begin)
      answers = (async () => answer(finish(steps).rows))()
      answers.catch(() => {}) // reported below, unless the signal was heard first
    }
    this.#begin.add(begin)
    try {
      while (!answers) {
        const step = steps.next()
        if (step.done) {
          this.#begin.delete(begin)
          return await answer(step.value.rows)
        }
        if (pauses.due) await pauses.take()
      }
      return await answers
    } finally {
      this.#begin.delete(begin)
    }
  }

  /** The index is about to change. */
  beginAll(): void {
    for (const begin of [...this.#begin]) begin()
  }
}
