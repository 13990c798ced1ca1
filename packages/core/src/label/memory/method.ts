// The memory's classifier by name. A separate entry point, loaded and registered on demand.

import type { Method } from '../registry.ts'
import { storedMemoryLabels } from './contents.ts'
import { MemoryClassifier } from './memory-classifier.ts'
import { memoryClassifierDefaults } from './options.ts'
import { tuneMemory } from './tuner.ts'

/** Pass it to `registerMethod`. */
export const memoryMethod: Method = Object.freeze<Method>({
  name: 'memory',
  stored: storedMemoryLabels,
  defaults: Object.freeze({ ...memoryClassifierDefaults }),
  fit: (dataset, options = {}) => MemoryClassifier.fit(dataset, options),
  tune: (dataset, options) => tuneMemory(dataset, options, MemoryClassifier.fit),
  load: (contents, place) => MemoryClassifier.open(contents, place),
})
