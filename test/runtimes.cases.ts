// The program that the tests run in other runtimes, bundled with the built packages, and in Node on the sources.

import * as core from '@vicinal/core'
import * as margin from '@vicinal/core/margin'
import * as memory from '@vicinal/core/memory'
import { everyMethod } from './every-method.ts'

/** What every method answers after it was fitted, and after it was loaded from its bytes: JSON by method. */
export async function everyAnswer(engineFor: (method: string) => core.Engine): Promise<Record<string, string[]>> {
  const answers: Record<string, string[]> = {}
  for (const sample of everyMethod({ core, margin, memory })) {
    const fitted = await sample.fit(engineFor(sample.name))
    const loaded = await sample.fromBytes(fitted.toBytes(), engineFor(sample.name))
    answers[sample.name] = [fitted, loaded].map(one => JSON.stringify(sample.answer(one)))
  }
  return answers
}
