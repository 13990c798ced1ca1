// Measures models on files of labeled items when a service starts, so that it can say how good they are. Files are read before the service
// answers, so that a wrong one is refused; measuring goes on in the background.

import { basename } from 'node:path'
import { type Dataset, EngineError } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import type { Served, ServedModel } from '../served.ts'

/** Each of `tests` is a path, or `name=path` with the name of a model. */
export async function measureModels(served: readonly Served[], tests: readonly string[]): Promise<void> {
  const models = served.filter(one => one.kind === 'model')
  const plans: { served: ServedModel; items: Dataset; path: string }[] = []
  for (const test of tests) {
    const { model, path } = modelTested(models, test)
    plans.push({ served: model, items: await readDataset(path), path })
  }
  for (const { served, items, path } of plans) {
    served.insight.measure(items, basename(path)).catch(error => {
      served.insight.failure = error // reported when the quality is asked for
    })
  }
}

/** The model that a test is for: `name=path`, or a path if there is one model. */
export function modelTested<Model extends { readonly name: string }>(
  models: readonly Model[],
  test: string,
): { model: Model; path: string } {
  const [, name, path = test] = /^([^=/\\]+)=(.+)$/.exec(test) ?? []
  const model = name === undefined ? models[0] : models.find(model => model.name === name)
  const known = `Models: ${models.map(({ name }) => name).join(', ') || 'none'}.`
  if (!model) {
    throw new EngineError('INVALID_OPTION', `the test ${test} names a model that is not served`, { hint: known })
  }
  if (name !== undefined || models.length === 1) return { model, path }
  const hint = `Say which: ${model.name}=${path}. ${known}`
  throw new EngineError(
    'INVALID_OPTION',
    `several models are served, so you must say which one the test ${path} is for`,
    { hint },
  )
}
