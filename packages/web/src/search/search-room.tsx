// Search: documents of a collection, or vectors of an index.

import type { ComponentChildren } from 'preact'
import type { ServedName } from '../backend/backend.ts'
import { CollectionSearch } from './collection-search.tsx'
import { IndexSearch } from './index-search.tsx'

export function SearchRoom({ served, picker }: { served: ServedName; picker: ComponentChildren }) {
  return served.kind === 'collection' ? (
    <CollectionSearch name={served.name} picker={picker} />
  ) : (
    <IndexSearch name={served.name} picker={picker} />
  )
}
