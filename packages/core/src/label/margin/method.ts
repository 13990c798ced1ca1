// The margin classifier by name. A separate entry point, loaded and registered on demand.

import type { Method } from '../registry.ts'
import { storedMargin } from './contents.ts'
import { MarginClassifier } from './margin-classifier.ts'
import { marginDefaults } from './options.ts'
import { tuneMargin } from './tuner.ts'

/** Pass it to `registerMethod`. */
export const marginMethod: Method = Object.freeze({
  ...{ name: storedMargin, stored: storedMargin, defaults: { ...marginDefaults } },
  fit: (dataset, options = {}) => MarginClassifier.fit(dataset, options),
  tune: (dataset, options) => tuneMargin(dataset, options, MarginClassifier.fit),
  load: (contents, { name = 'the model' }) => MarginClassifier.fromContents(contents, { name }),
} satisfies Method)
