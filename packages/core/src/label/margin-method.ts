// The margin classifier by name. It is an entry of its own, apart from the engine, and registered by who wants it.

import { MarginClassifier } from './margin-classifier.ts'
import { marginDefaults } from './margin-options.ts'
import { storedMargin } from './margin-store.ts'
import { tuneMargin } from './margin-tuner.ts'
import type { Method } from './registry.ts'

/** For `registerMethod`. */
export const marginMethod: Method = Object.freeze({
  ...{ name: storedMargin, stored: storedMargin, defaults: { ...marginDefaults } },
  fit: (dataset, options = {}) => MarginClassifier.fit(dataset, options),
  tune: (dataset, options) => tuneMargin(dataset, options),
  load: (contents, { name = 'the model' }) => MarginClassifier.fromContents(contents, { name }),
} satisfies Method)
