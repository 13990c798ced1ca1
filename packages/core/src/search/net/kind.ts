// The net by name. A separate entry point, loaded and registered on demand.

import { defineKind } from '../registry.ts'
import type { Vectors } from '../search-index.ts'
import { NetIndex } from './net-index.ts'

/** Pass it to `registerIndexKind`. */
export const netKind = defineKind<Vectors>({
  name: 'net',
  data: 'dense',
  layouts: ['dense', 'sparse', 'text'],
  defaults: { metric: 'euclidean' },
  fit: (rows, { threads: _threads, engine: _engine, ...options }) => NetIndex.fit(rows, options),
  load: (contents, place) => NetIndex.fromContents(contents, { ...(place.name !== undefined && { name: place.name }) }),
  searchDefaults: () => ({ tolerance: 0 }),
  efforts: () => [1, 0.5, 0.2, 0.1, 0].map(tolerance => ({ tolerance })),
})
