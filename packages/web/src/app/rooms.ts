// The four rooms: what each is called, and what can be open in it.

import type { ServedKind, ServedName } from '../backend/backend.ts'
import type { IconName } from '../parts/icon.tsx'
import type { RoomName } from './router.ts'

export interface Room {
  readonly title: string
  readonly icon: IconName
  readonly kinds: readonly ServedKind[]
  /** What to do if nothing of its kinds is served. */
  readonly missing: { readonly title: string; readonly text: string; readonly commands: readonly string[] }
}

export const rooms: Readonly<Record<RoomName, Room>> = {
  tag: {
    title: 'Tag',
    icon: 'tag',
    kinds: ['model'],
    missing: {
      title: 'No model is served',
      text: 'Train one on texts that have labels, and serve it:',
      commands: ['vicinal train books.csv --out books.model', 'vicinal serve books.model'],
    },
  },
  search: {
    title: 'Search',
    icon: 'search',
    kinds: ['collection', 'index'],
    missing: {
      title: 'No collection or index is served',
      text: 'Index documents or vectors, and serve the result:',
      commands: ['vicinal index books.jsonl --out books.collection', 'vicinal serve books.collection'],
    },
  },
  memory: {
    title: 'Memory',
    icon: 'memory',
    kinds: ['memory'],
    missing: {
      title: 'No memory is served',
      text: 'Create an empty one, and serve it:',
      commands: ['vicinal memory create notes', 'vicinal serve notes'],
    },
  },
  models: {
    title: 'Models',
    icon: 'models',
    kinds: ['model'],
    missing: {
      title: 'No model is served',
      text: 'Train one, and serve it together with data to test it on:',
      commands: ['vicinal train books.csv --out books.model', 'vicinal serve books.model --test books-test.csv'],
    },
  },
}

/** What stands in the address: rooms with several kinds say which. */
export function keyOf({ kind, name }: ServedName, room: RoomName): string {
  return rooms[room].kinds.length > 1 ? `${kind}:${name}` : name
}
